import { aggregatesIn } from '../../cypher/aggregates';
import { name, variable } from '../../cypher/build';
import { withListedStars } from '../../cypher/listed-stars';
import { QueryFault } from '../../cypher/query-fault';
import { type Quirk } from '../../cypher/quirk';
import { type Call, type Clause, type Expression } from '../../cypher/tree';
import { changeClauseLists, replaceOutermost, expressionsIn } from '../../cypher/walk';

/** The elements of an UNWIND are computed before, so each list with a lambda in another one becomes one. */
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
  rewrite: (query, { newName }) => {
    if (![...expressionsIn(query)].some(isChain)) return query;
    return changeClauseLists(withListedStars(query, 'as introduced'), (clauses) =>
      clauses.flatMap((clause): readonly Clause[] => {
        const before: Clause[] = [];
        const named = <P>(part: P): P =>
          replaceOutermost(part, (value, locals) => {
            if (value.kind === 'subquery') return value;
            return isChain(value) ? unwound(value, locals, before, newName) : null;
          });
        const changed: Clause =
          clause.kind === 'with' || clause.kind === 'return'
            ? { ...clause, items: named(clause.items) }
            : clause.kind === 'unwind'
              ? named(clause)
              : clause;
        const [left] = [...expressionsIn(changed)].filter(isChain);
        if (left !== undefined) throw new QueryFault(CHAIN, left.start);
        return [...before, changed];
      }),
    );
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

const unwound = (value: Expression, locals: readonly string[], before: Clause[], newName: () => string): Expression => {
  if (!isCall(value) || !isChain(value)) return value;
  const [list, ...others] = value.arguments;
  const inner = replaceOutermost(list, (part) => (isChain(part) ? unwound(part, locals, before, newName) : null));
  const { start, end } = list;
  if (locals.length > 0 || aggregatesIn(list).length > 0) throw new QueryFault(CHAIN, start);
  const called = newName();
  before.push({
    kind: 'unwind',
    list: { kind: 'list', items: [inner], start, end },
    name: name(called, list),
    start,
    end,
  });
  return { ...value, arguments: [variable(called, list), ...others] };
};

const CHAIN =
  'A list that is made of another one is not possible here on this kind of instance: name the inner list by WITH before.';
