import { matching } from '../../cypher/build';
import { QueryFault } from '../../cypher/query-fault';
import { type Quirk } from '../../cypher/quirk';
import { type Expression } from '../../cypher/tree';
import { changeExpressions } from '../../cypher/walk';

/** Lists of patterns can only be counted: `size([(n)-->(m) WHERE m.id > 1 | m])`. */
export const sizesOfPatterns: Quirk = {
  id: 'kuzu-sizes-of-patterns',
  description: 'size((n)-->()) is 4 or 5, the length of the text of a boolean.',
  shown: {
    graph: 'CREATE (a:N {id: 1})-[:E]->(b:N {id: 2})',
    query: 'MATCH (n:N {id: 1}) RETURN size((n)-[:E]->())',
    right: [[1]],
    wrong: [[4]],
  },
  rewrite: (query) => {
    const counted = new Set<Expression>();
    const written = changeExpressions(query, (value, original) => {
      if (value.kind !== 'call' || original.kind !== 'call' || value.name.toUpperCase() !== 'SIZE') return value;
      const [pattern] = value.arguments;
      if (pattern?.kind !== 'pattern' && pattern?.kind !== 'pattern_comprehension') return value;
      for (const argument of original.arguments) counted.add(argument);
      const { start, end } = value;
      const where = pattern.kind === 'pattern' ? null : pattern.where;
      const match = matching([pattern.path], where, value);
      return { kind: 'subquery', word: 'COUNT', query: { parts: [[match]], unions: [] }, start, end };
    });
    changeExpressions(query, (_, original) => {
      if (original.kind !== 'pattern_comprehension' || counted.has(original)) return original;
      throw new QueryFault(
        'A list of a pattern is not possible on this kind of instance: write OPTIONAL MATCH and collect(…).',
        original.start,
      );
    });
    return written;
  },
};
