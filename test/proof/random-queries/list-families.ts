import { type Family } from './family';

const BOOLEANS = ['true', 'false', 'null'];

/** Families of queries about lists, and functions with a variable of their items. */
export const listFamilies: Readonly<Record<string, Family>> = {
  'several list functions in one expression': (maker) => {
    const match = maker.match(maker.choice.of([0, 1]));
    const { expressions, choice } = maker;
    const int = (): string => expressions.source('int');
    const text = (): string => expressions.source('text');
    const list = (): string => choice.of([expressions.list(1), `[${int()}, ${int()}]`, `range(0, ${choice.below(4)})`]);
    const part = (): string =>
      choice.of([
        () => `size([x IN ${list()} WHERE x > ${int()}])`,
        () => `head([x IN ${list()} | x + ${int()}])`,
        () => `reduce(s = ${int()}, x IN ${list()} | s + x)`,
        () => `size(split(${text()}, 'a'))`,
        () => `size([y IN ${list()} WHERE y IN ${list()} | y])`,
        () => `CASE WHEN any(x IN ${list()} WHERE x = ${int()}) THEN ${int()} ELSE 0 END`,
        () => `[x IN ${list()} | CASE WHEN x IN [${int()}, 2] THEN 1 ELSE x END][${choice.below(3)}]`,
        () => `size(${choice.of(['tail', 'reverse'])}(${list()}))`,
        () => `last([x IN [y IN ${list()} WHERE y IS NOT NULL] | x * ${int()}])`,
        () => `size(split(split(${text()}, 'b')[0], 'a'))`,
        () => `toInteger(split(toString(${int()}) + '-' + ${text()}, '-')[0])`,
      ])();
    const test = (): string =>
      choice.of([
        () => expressions.quantified(),
        () => `${choice.of(['any', 'all', 'none', 'single'])}(x IN ${list()} WHERE x > ${part()})`,
        () => `${int()} IN [x IN ${list()} | x]`,
      ])();
    return choice.of([
      () => `${match} RETURN ${part()} + ${part()} AS c0, ${part()} AS c1`,
      () => `${match} RETURN [${part()}, ${part()}, ${part()}] AS c0, ${test()} AND ${test()} AS c1`,
      () => `${match} WHERE ${test()} ${choice.of(['AND', 'OR', 'XOR'])} NOT ${test()} ${maker.returnAny()}`,
      () => `${match} RETURN [x IN ${list()} WHERE x > 0] + [y IN ${list()} | y * 2] AS c0, ${part()} AS c1`,
      () => `${match} RETURN ${test()} AS c0, ${test()} AS c1, count(*) AS c2`,
      () => `${match} RETURN sum(${part()}) AS c0, max(${part()} - ${part()}) AS c1`,
      () =>
        `${match} WITH ${part()} AS a, ${part()} AS b WHERE a <> b OR ${test().replaceAll(/n\d+\.\w+/g, 'a')} RETURN a AS c0, b AS c1`,
    ])();
  },
  'boolean items': (maker) => {
    const match = maker.match(0);
    const { expressions, choice } = maker;
    const item = (): string => choice.of([...BOOLEANS, expressions.source('bool'), expressions.parameter('bool')]);
    const list = (): string => choice.of([`[${item()}, ${item()}]`, `[${item()}, ${item()}, ${item()}]`, '[]']);
    const which = (): string => choice.of(['any', 'all', 'none', 'single']);
    const made = (): string =>
      choice.of([
        () => `[x IN ${list()} WHERE x]`,
        () => `[x IN ${list()} WHERE NOT x | x]`,
        () => `[x IN ${list()} | NOT x]`,
        () => `${which()}(x IN ${list()} WHERE x)`,
        () => `${which()}(x IN ${list()} WHERE NOT x)`,
        () => `${which()}(x IN ${list()} WHERE x IS NULL OR x)`,
        () => `reduce(b = ${choice.of(BOOLEANS)}, x IN ${list()} | b ${choice.of(['AND', 'OR', 'XOR'])} x)`,
        () => `${item()} IN ${list()}`,
        () => `CASE WHEN ${which()}(x IN ${list()} WHERE x) THEN 1 ELSE 2 END`,
        () => `[x IN ${list()} | CASE x WHEN true THEN 1 WHEN false THEN 0 END]`,
        () => `size([x IN ${list()} WHERE x = ${item()}])`,
      ])();
    return choice.percent(60)
      ? `${match} RETURN ${made()} AS c0, ${made()} AS c1, ${made()} AS c2`
      : `${match} WHERE ${which()}(x IN ${list()} WHERE x) ${maker.returnAny()}`;
  },
  'constant conditions of items': (maker) => {
    const match = maker.match(maker.choice.of([0, 1]));
    const { expressions, choice } = maker;
    const list = (): string =>
      choice.of([expressions.list(1), '[]', '[null]', '[1]', '[1, 2]', expressions.source('texts')]);
    const constant = (): string =>
      choice.of([...BOOLEANS, '1 = 1', "'a' = 'b'", '1 = null', expressions.parameter('bool'), 'NOT true']);
    const which = (): string => choice.of(['any', 'all', 'none', 'single']);
    const test = (): string => `${which()}(x IN ${list()} WHERE ${constant()})`;
    const made = (): string =>
      choice.of([
        test(),
        test(),
        `size([x IN ${list()} WHERE ${constant()}])`,
        `[x IN ${list()} WHERE ${constant()} | 1]`,
      ]);
    return choice.percent(60)
      ? `${match} RETURN ${made()} AS c0, ${made()} AS c1`
      : `${match} WHERE ${choice.of(['', 'NOT '])}${test()} ${maker.returnAny()}`;
  },
  reductions: (maker) => {
    const match = maker.match(maker.choice.of([0, 1]));
    const { expressions, choice } = maker;
    const int = (): string => expressions.source('int');
    const list = (): string => expressions.list(1);
    const made = (): string =>
      choice.of([
        () => `reduce(s = 0, x IN ${list()} | s + x * ${int()})`,
        () => `reduce(s = 0.5, x IN ${list()} | s + coalesce(x, 1))`,
        () => `reduce(s = '', x IN ${expressions.source('texts')} | s + x)`,
        () => `reduce(s = [], x IN ${list()} | s + [x])`,
        () => `reduce(s = [], x IN ${list()} | [x] + s)`,
        () => `reduce(s = null, x IN ${list()} | coalesce(s, x))`,
        () => `reduce(s = 0, x IN ${list()} | CASE WHEN x > s THEN x ELSE s END)`,
        () => `reduce(s = 0, x IN ${list()} | s + reduce(t = x, y IN [1, 2] | t * y))`,
        () => `reduce(s = ${int()}, x IN [] | s + x)`,
        () => `reduce(s = 0, x IN null | s + x)`,
        () => `reduce(s = 0, x IN [y IN ${list()} WHERE y > 0] | s + x)`,
        () => `reduce(s = 1, x IN ${list()} | s / 2.0 + x)`,
        () => `reduce(s = {n: 0}, x IN [1, 2] | {n: s.n + x}).n`,
        () => `size(reduce(s = '', x IN range(1, 3) | s + toString(x)))`,
      ])();
    return choice.percent(70)
      ? `${match} RETURN ${made()} AS c0, ${made()} AS c1`
      : `${match} WITH collect(${int()}) AS l RETURN reduce(s = 0, x IN l | s + x) AS c0, size(l) AS c1`;
  },
  'equal values of several types': (maker) => {
    const { choice, expressions } = maker;
    const item = (): string =>
      choice.of(['1', '1.0', 'null', '[1]', '[1.0]', '[null]', '{a: 1}', '{a: 1.0}', '{a: null}', '{}', '[]', "'1'", 'true', "'a'", '[1, [2]]', '[1, [2.0]]', '2', '0.5', '-0.0', '0', "date('2024-01-01')", "[{a: [1]}]", '0.0 / 0.0']); // prettier-ignore
    const list = (): string => `[${Array.from({ length: 3 + choice.below(4) }, item).join(', ')}]`;
    const source = expressions.source('int');
    return choice.of([
      `UNWIND ${list()} AS x RETURN DISTINCT x AS c0`,
      `UNWIND ${list()} AS x RETURN x AS c0, count(*) AS c1`,
      `UNWIND ${list()} AS x RETURN count(DISTINCT x) AS c0, count(x) AS c1`,
      `UNWIND ${list()} AS x RETURN collect(DISTINCT x) AS c0`,
      `UNWIND ${list()} AS x UNWIND ${list()} AS y RETURN x = y AS c0, x <> y AS c1, count(*) AS c2`,
      `UNWIND ${list()} AS x RETURN x IN ${list()} AS c0, x IS NULL AS c1, x = x AS c2`,
      `UNWIND ${list()} AS x RETURN x AS c0 ORDER BY c0${choice.of(['', ' DESC'])}`,
      `UNWIND ${list()} AS x RETURN min(x) AS c0, max(x) AS c1`,
      `UNWIND ${list()} AS x WITH DISTINCT x, 1 AS y RETURN x AS c0, count(*) AS c1`,
      `RETURN ${item()} AS c0 UNION RETURN ${item()} AS c0 UNION RETURN ${item()} AS c0`,
      `UNWIND ${list()} AS x WITH x WHERE x = ${item()} OR x > ${item()} RETURN x AS c0`,
      `MATCH (n:Person) RETURN DISTINCT [n.age, n.score] AS c0, {a: n.active} AS c1`,
      `MATCH (n:Person) RETURN [n.age, null] AS c0, count(*) AS c1, ${source} AS c2`,
      `MATCH (n:Person) RETURN count(DISTINCT [n.age, n.active]) AS c0, count(DISTINCT n.tags) AS c1`,
      `MATCH (n:Person) UNWIND [n.age, n.score] AS x RETURN x AS c0, count(*) AS c1, count(DISTINCT n) AS c2`,
    ]);
  },
};
