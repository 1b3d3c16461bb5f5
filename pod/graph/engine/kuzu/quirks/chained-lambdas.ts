import { QueryFault } from '../../cypher/query-fault';
import { type Quirk } from '../../cypher/quirk';
import { type Call, type Expression } from '../../cypher/tree';
import { expressionsIn } from '../../cypher/walk';

export const chainedLambdas: Quirk = {
  id: 'kuzu-chained-lambdas',
  description:
    'A list function of the result of another one, which uses a value of the row, has elements of other rows.',
  shown: {
    graph: 'CREATE (:N {id: 1, size: 1}), (:N {id: 2, size: 2}), (:N {id: 3, size: 3}), (:N {id: 4})',
    query: 'MATCH (n:N) RETURN n.id, list_transform(list_filter([n.size, 2, n.id], x -> x > n.size), y -> y + 1)',
    right: [
      [1, [3]],
      [2, []],
      [3, []],
      [4, []],
    ],
    wrong: [
      [1, []],
      [2, [3, 3]],
      [3, [4, 3, 4]],
      [4, [3, 5]],
    ],
  },
  rewrite: (query) => {
    const found = [...expressionsIn(query)].find(isChain);
    if (found !== undefined) throw new QueryFault(CHAIN, found.start);
    return query;
  },
};

const isCall = (value: Expression): value is Call & { readonly arguments: readonly [Expression, ...Expression[]] } =>
  value.kind === 'call' && value.arguments[1]?.kind === 'lambda';

const isChain = (value: Expression): boolean =>
  isCall(value) && [...expressionsIn(value.arguments[0])].some((inner) => isCall(inner) && usesOuterValues(inner));

const usesOuterValues = ({ arguments: [, lambda] }: Call): boolean =>
  lambda?.kind === 'lambda' &&
  [...expressionsIn(lambda.value)].some(
    (inner) => inner.kind === 'variable' && lambda.names.every(({ text }) => text !== inner.name),
  );

const CHAIN =
  'A list that is made of another one is not possible here on this kind of instance: name the inner list by WITH before.';
