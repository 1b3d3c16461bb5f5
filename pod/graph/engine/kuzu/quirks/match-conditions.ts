import { and, conditionsOf, isNotNull, name, property, variable } from '../../cypher/build';
import { type Quirk } from '../../cypher/quirk';
import { make } from '../../cypher/template';
import { type Expression, type MatchClause, type NodePattern, type NullTest } from '../../cypher/tree';
import { changeMatches, expressionsIn, variablesIn } from '../../cypher/walk';
import { type GraphSchema } from '../../graph-schema';

export const conditionsOfParameters: Quirk = {
  id: 'kuzu-conditions-of-parameters',
  description: 'A condition of MATCH that uses no variable, such as WHERE $x = 1, is ignored.',
  shown: {
    graph: 'CREATE (:N {id: 1})',
    query: 'MATCH (n:N) WHERE $x = 1 RETURN n.id',
    parameters: { x: 0n },
    right: [],
    wrong: [[1]],
  },
  rewrite: (query, { newName }) =>
    changeMatches(query, (clause) => {
      if (!conditionsOf(clause.where).some(isNameless)) return clause;
      const [named, node] = withNode(clause, newName);
      const conditions = conditionsOf(clause.where).map((condition) =>
        isNameless(condition)
          ? make('_1 OR id(_2) IS NULL', condition, condition, variable(node, condition))
          : condition,
      );
      return { ...named, where: and(...conditions) };
    }),
};

const isNameless = (condition: Expression): boolean => {
  const inside = [...expressionsIn(condition)];
  return (
    inside.some(({ kind }) => kind === 'parameter') &&
    inside.every(({ kind }) => kind !== 'variable' && kind !== 'subquery' && kind !== 'pattern')
  );
};

/** A MATCH whose last node has a name, which may be new. */
const withNode = (clause: MatchClause, newName: () => string): readonly [MatchClause, string] => {
  const [first, ...paths] = clause.paths;
  const nodes = first?.nodes ?? [];
  const known = nodes.findLast((node) => node.name !== null)?.name?.text;
  const last = nodes.at(-1);
  if (known !== undefined || first === undefined || last === undefined) return [clause, known ?? ''];
  const called = newName();
  const named: NodePattern = { ...last, name: name(called, last) };
  return [{ ...clause, paths: [{ ...first, nodes: [...nodes.slice(0, -1), named] }, ...paths] }, called];
};

export const joinsByValue: Quirk = {
  id: 'kuzu-joins-by-value',
  description: 'A join on a property loses the rows after a null.',
  shown: {
    graph: "CREATE (:N {id: 1, tag: 'q'}), (:N {id: 2}), (:N {id: 3, tag: 'q'}), (:N {id: 4, tag: 'w'})",
    query: 'MATCH (k:N) WHERE k.id > 0 MATCH (m:N) WHERE m.tag = k.tag AND m.id > 0 RETURN count(*)',
    right: [[5]],
    wrong: [[4]],
  },
  rewrite: (query, { schema, newName }) => changeMatches(query, (clause) => withoutNulls(clause, schema, newName)),
};

const withoutNulls = (
  clause: MatchClause,
  { nodeTables, edgeTables }: GraphSchema,
  newName: () => string,
): MatchClause => {
  const nulls: NullTest[] = [];
  const paths = clause.paths.map((path) => ({
    ...path,
    nodes: path.nodes.map((node) => {
      const entries = node.properties?.kind === 'map' ? node.properties.entries : [];
      const joined = entries.filter(({ value }) => variablesIn(value).size > 0);
      if (joined.length === 0) return node;
      const called = node.name ?? name(newName(), node);
      nulls.push(...joined.map(({ key }) => isNotNull(property(variable(called.text, key), key.text))));
      return { ...node, name: called };
    }),
  }));
  for (const condition of conditionsOf(clause.where)) {
    if (condition.kind !== 'comparison' || condition.rest.length > 1) continue;
    const sides = [condition.first, ...condition.rest.map(({ right }) => right)];
    const [left, right] = sides.map(variablesIn);
    if (condition.rest[0]?.operator !== '=' || left === undefined || right === undefined) continue;
    if ([...left].every((text) => right.has(text)) || [...right].every((text) => left.has(text))) continue;
    nulls.push(...sides.map(isNotNull));
  }
  const mayBeNull = nulls.filter(
    ({ of }) =>
      of.kind !== 'property' ||
      [...nodeTables, ...edgeTables].some(({ properties }) => properties.some(({ name: own }) => own === of.name.text)),
  );
  return mayBeNull.length === 0 ? clause : { ...clause, paths, where: and(clause.where, ...mayBeNull) };
};
