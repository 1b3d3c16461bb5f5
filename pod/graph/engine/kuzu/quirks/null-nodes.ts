import { type Quirk } from '../../cypher/quirk';
import { make } from '../../cypher/template';
import { type Expression } from '../../cypher/tree';
import { valueTypes } from '../../cypher/value-types';
import { changeExpressions, clausesIn } from '../../cypher/walk';

/** Of nodes and relationships that are values: those of CASE, lists and functions. */
export const nullNodes: Quirk = {
  id: 'kuzu-null-nodes',
  description: 'The property of a node from an expression that is null is 0 or a value of another row.',
  shown: {
    graph: 'CREATE (:N {id: 1}), (:N {id: 2})',
    query: 'MATCH (n:N) RETURN CASE WHEN n.id > 1 THEN n END.id',
    right: [[null], [2]],
    wrong: [[0], [2]],
  },
  rewrite: (query, { schema }) => {
    const typeOf = valueTypes(query, schema);
    const isEntity = (value: Expression): boolean => /^(node|relationship)$/.test(typeOf(value).kind);
    const computed = new Set<string>();
    for (const clause of clausesIn(query)) {
      if (clause.kind !== 'with') continue;
      for (const { value, alias } of clause.items) {
        const isComputed = value.kind === 'variable' ? computed.has(value.name) : isEntity(value);
        if (isComputed && alias !== null) computed.add(alias.text);
      }
    }
    return changeExpressions(query, (value) => {
      if (value.kind !== 'property') return value;
      const { of } = value;
      const isComputed = of.kind === 'variable' ? computed.has(of.name) : isEntity(of);
      return isComputed ? make('CASE WHEN _1 IS NOT NULL THEN _2 END', value, of, value) : value;
    });
  },
};
