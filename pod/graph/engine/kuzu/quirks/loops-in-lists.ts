import { and, name, variable } from '../../cypher/build';
import { type Quirk, type QuirkContext } from '../../cypher/quirk';
import { stepsOf } from '../../cypher/steps';
import { make } from '../../cypher/template';
import { type Expression, type PathPattern } from '../../cypher/tree';
import { changeExpressions } from '../../cypher/walk';
import { loops } from './loops-without-direction';

/** Both directions are listed or counted one after the other, loops in one of them only. */
export const loopsInLists: Quirk = {
  id: 'kuzu-loops-in-lists',
  description: 'COUNT { … } of a relationship without direction counts a loop twice.',
  shown: {
    graph: 'CREATE (a:N {id: 1})-[:E]->(a)',
    query: 'MATCH (n:N) RETURN n.id, COUNT { MATCH (n)-[:E]-(:N) }',
    right: [[1, 1]],
    wrong: [[1, 2]],
  },
  rewrite: (query, context) =>
    changeExpressions(query, (value) => {
      if (value.kind !== 'subquery' || value.word === 'EXISTS' || value.query.parts.length > 1) return value;
      const [match, ...others] = value.query.parts[0] ?? [];
      const [path, ...more] = match?.kind === 'match' ? match.paths : [];
      if (match?.kind !== 'match' || path === undefined || more.length > 0) return value;
      if (others.length > (value.word === 'COUNT' ? 0 : 1)) return value;
      return inDirections(value, path, context, (each, apart) => ({
        ...value,
        query: { ...value.query, parts: [[{ ...match, paths: [each], where: and(match.where, apart) }, ...others]] },
      }));
    }),
};

/** The sum of the results for both directions of a path; the value itself if no loop is found twice. */
const inDirections = (
  value: Expression,
  path: PathPattern,
  { schema, newName }: QuirkContext,
  made: (path: PathPattern, apart: Expression | null) => Expression,
): Expression => {
  const [doubled, ...others] = stepsOf([path]).filter((step) => loops(step, schema).length > 0);
  if (doubled === undefined || doubled.length !== null || others.length > 0) return value;
  const at = path.steps.findIndex(({ start }) => start === doubled.start);
  const nodes = path.nodes.map((node, index) =>
    index === at || index === at + 1 ? { ...node, name: node.name ?? name(newName(), node) } : node,
  );
  const directed = (direction: 'left' | 'right'): PathPattern => ({
    ...path,
    nodes,
    steps: path.steps.map((step, index) => (index === at ? { ...step, direction } : step)),
  });
  const [from, to] = [nodes[at], nodes[at + 1]].map((node) => variable(node?.name?.text ?? '', path));
  if (from === undefined || to === undefined) return value;
  const apart = make('id(_1) <> id(_2)', path, from, to);
  return make('_1 + _2', value, made(directed('right'), null), made(directed('left'), apart));
};
