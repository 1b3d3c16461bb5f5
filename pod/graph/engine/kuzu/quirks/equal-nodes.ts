import { type Quirk } from '../../cypher/quirk';
import { make } from '../../cypher/template';
import { type Clause, type Expression } from '../../cypher/tree';
import { type TypeOf, valueTypes } from '../../cypher/value-types';
import { changeExpressions, changeMatches } from '../../cypher/walk';

/** The engine joins by such a condition, with ids that the plan lacks. */
export const equalNodes: Quirk = {
  id: 'kuzu-equal-nodes',
  description:
    'To compare a node or relationship of a subquery or OPTIONAL MATCH with one from outside is an error, or false.',
  shown: {
    graph: 'CREATE (a:N {id: 1})-[:E]->(b:N {id: 2})-[:E]->(a)',
    query: 'MATCH (a:N)-[:E]->(b:N) WHERE EXISTS { MATCH (c:N)-[:E]->(a) WHERE c = b } RETURN a.id',
    right: [[1], [2]],
    wrong: 'error',
  },
  rewrite: (query, { schema }) => {
    const typeOf = valueTypes(query, schema);
    const ofOptional = changeMatches(query, (clause) =>
      clause.optional ? { ...clause, where: notUnequal(clause.where, typeOf) } : clause,
    );
    return changeExpressions(ofOptional, (value) => (value.kind === 'subquery' ? notUnequal(value, typeOf) : value));
  },
};

const notUnequal = <P extends Expression | Clause | null>(part: P, typeOf: TypeOf): P =>
  part === null
    ? part
    : changeExpressions(part, (value) => {
        const [second] = value.kind === 'comparison' ? value.rest : [];
        if (value.kind !== 'comparison' || value.rest.length !== 1 || second?.operator !== '=') return value;
        const isEntity = [value.first, second.right].every(
          (operand) => operand.kind === 'variable' && /^(node|relationship)$/.test(typeOf(operand).kind),
        );
        return isEntity ? make('NOT _1 <> _2', value, value.first, second.right) : value;
      });
