import { QueryFault } from '../../cypher/query-fault';
import { type Quirk } from '../../cypher/quirk';
import { type Call, type Expression, type Query } from '../../cypher/tree';
import { expressionsIn } from '../../cypher/walk';

/** Calls that return lists. */
const LISTS = /^(COLLECT|NODES|RELS|RELATIONSHIPS|RANGE|KEYS|LIST_\w+|STRING_SPLIT)$/i;

export const reversedLists: Quirk = {
  id: 'kuzu-reversed-lists',
  description: 'reverse of a list is the reversed text of the list.',
  shown: { query: 'RETURN reverse([1, 2])', right: [[[2, 1]]], wrong: [[']2,1[']] },
  rewrite: (query) => {
    for (const { start, arguments: values } of callsOf(query, 'REVERSE')) {
      if (!values.some(isList)) continue;
      throw new QueryFault('reverse is for strings on this kind of instance; reverse a list by list_reverse.', start);
    }
    return query;
  },
};

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
    for (const { start, arguments: values } of callsOf(query, 'SIZE')) {
      if (!values.some(({ kind }) => kind === 'pattern')) continue;
      throw new QueryFault(
        'size does not accept patterns on this kind of instance: write COUNT { MATCH … } around it.',
        start,
      );
    }
    return query;
  },
};

const callsOf = (query: Query, name: string): readonly Call[] =>
  [...expressionsIn(query)].filter(
    (value): value is Call => value.kind === 'call' && value.name.toUpperCase() === name,
  );

const isList = (value: Expression): boolean =>
  value.kind === 'list' || value.kind === 'comprehension' || (value.kind === 'call' && LISTS.test(value.name));
