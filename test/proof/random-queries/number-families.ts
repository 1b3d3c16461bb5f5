import { type Value } from '../../../pod/graph/engine/evaluate/values';
import { type Family } from './family';
import { keyOf, lastNode } from './parts';

/** Numbers at the ends of their types, and others that are easily confused. */
const NUMBERS = ['9223372036854775807', '-9223372036854775807', '9007199254740993', '9007199254740992.0', '0', '1', '-1', '2', '0.0', '-0.0', '1.5', '-0.5', '0.0 / 0.0', '1.0 / 0.0', '-1.0 / 0.0', '1e308', '1e-300', '3', '1.0', '2147483648', '-9223372036854775807 - 1']; // prettier-ignore

const PARAMETERS: readonly Value[] = [
  1n,
  -3n,
  1.5,
  0.1,
  'a',
  '',
  true,
  false,
  null,
  [],
  [1n, 2n],
  [1n, null],
  [null],
  ['a', 'b'],
  [1n, 1.5],
  [1n, 'a', true, null],
  [[1n], [2n, null]],
  new Map<string, Value>([['a', 1n]]),
  new Map<string, Value>([
    ['a', null],
    ['b', 'x'],
  ]),
  new Map<string, Value>([['a', [1n, 2n]], ['b', new Map<string, Value>([['c', true]])]]), // prettier-ignore
  new Map<string, Value>(),
  [new Map<string, Value>([['a', 1n], ['b', 'x']]), new Map<string, Value>([['a', null]])], // prettier-ignore
  [new Map<string, Value>([['a', [1n]]]), new Map<string, Value>([['a', []]])],
  [true, null, false],
  [0.5, null],
];

/** Families of queries about numbers, parameters and orders. */
export const numberFamilies: Readonly<Record<string, Family>> = {
  'great and special numbers': (maker) => {
    const { choice } = maker;
    const number = (): string => `(${choice.of(NUMBERS)})`;
    const list = (): string => `[${Array.from({ length: 3 }, number).join(', ')}]`;
    const made = (): string =>
      choice.of([
        () => `${number()} ${choice.of(['+', '-', '*', '/', '%', '^'])} ${number()}`,
        () => `${number()} ${choice.of(['=', '<>', '<', '<=', '>', '>='])} ${number()}`,
        () =>
          `${choice.of(['toString', 'toFloat', 'abs', 'sign', 'round', 'floor', 'ceil', 'sqrt', '-'])}(${number()})`,
        () =>
          `toInteger(${choice.of(['1e18', '1.9', '-1.9', "'9223372036854775807'", "'1e3'", "'x'", "' 7 '", '0.0 / 0.0', '9007199254740993'])})`,
        () => `${number()} IN ${list()}`,
        () => `coalesce(null, ${number()})`,
        () => `${list()}[${choice.below(3)}]`,
        () => `CASE WHEN ${number()} < ${number()} THEN ${number()} ELSE ${number()} END`,
      ])();
    const property = choice.of(['n.big', 'n.score', 'n.age']);
    return choice.of([
      () => `RETURN ${made()} AS c0, ${made()} AS c1`,
      () => `UNWIND ${list()} AS x RETURN min(x) AS c0, max(x) AS c1, count(DISTINCT x) AS c2`,
      () => `UNWIND ${list()} AS x RETURN sum(x) AS c0`,
      () => `UNWIND ${list()} AS x RETURN avg(x) AS c0`,
      () => `UNWIND ${list()} AS x RETURN x AS c0 ORDER BY c0${choice.of(['', ' DESC'])}`,
      () => `UNWIND ${list()} AS x WITH x WHERE x ${choice.of(['<', '>', '=', '<>'])} ${number()} RETURN x AS c0`,
      () =>
        `MATCH (n:Person) WHERE ${property} ${choice.of(['<', '>', '=', '<>', '<='])} ${number()} RETURN n.id AS c0`,
      () => `MATCH (n:Person) RETURN n.id AS c0, ${property} ${choice.of(['+', '-', '/', '%'])} ${number()} AS c1`,
      () => `MATCH (n:Person) WHERE n.age <> 0 AND 4 / n.age > 1 RETURN n.id AS c0, 4 / n.age AS c1`,
      () => `MATCH (n:Account) RETURN sum(n.number % 1000) AS c0, max(n.number) AS c1, min(n.number) AS c2`,
      () => `MATCH (n:Person) RETURN ${property} / 0.0 AS c0, ${property} = ${number()} AS c1, n.id AS c2`,
    ])();
  },
  'parameters of all types': (maker) => {
    const { choice, expressions } = maker;
    const p = expressions.given('p', choice.of(PARAMETERS));
    const q = expressions.given('q', choice.of(PARAMETERS));
    const match = maker.match(0);
    const text = expressions.source('text');
    const int = expressions.source('int');
    return choice.of([
      `RETURN ${p} AS c0, ${q} AS c1`,
      `RETURN ${p} IS NULL AS c0, ${p} = ${p} AS c1, ${p} = ${q} AS c2`,
      `RETURN [${p}, ${q}] AS c0, {a: ${p}} AS c1`,
      `UNWIND ${p} AS x RETURN x AS c0`,
      `UNWIND ${p} AS x RETURN x.a AS c0, x.b AS c1`,
      `RETURN ${p}.a AS c0, ${p}.b AS c1`,
      `RETURN ${p}[0] AS c0, size(${p}) AS c1`,
      `RETURN ${p} IN [${q}, 1] AS c0, 1 IN ${p} AS c1`,
      `${match} WHERE ${text} = ${p} ${maker.returnRows()}`,
      `${match} WHERE ${int} = ${p} OR ${int} = ${q} ${maker.returnRows()}`,
      `${match} WHERE ${int} IN ${p} ${maker.returnRows()}`,
      `${match} WHERE ${p} RETURN count(*) AS c0`,
      `${match} WHERE ${int} > ${p} AND ${text} < ${q} RETURN count(*) AS c0`,
      `RETURN coalesce(${p}, ${q}) AS c0, CASE WHEN ${p} = ${q} THEN ${p} ELSE ${q} END AS c1`,
      `${match} RETURN coalesce(${int}, ${p}) AS c0, [${int}, ${p}] AS c1`,
      `UNWIND ${p} AS x UNWIND ${q} AS y RETURN x = y AS c0, x < y AS c1`,
      `RETURN ${p} + ${q} AS c0`,
      `UNWIND ${p} AS x MATCH (n:Person) WHERE n.id = x OR n.id = x.a RETURN n.id AS c0`,
      `RETURN [x IN ${p} WHERE x IS NOT NULL | x] AS c0, any(x IN ${p} WHERE x = 1) AS c1`,
      `UNWIND ${p} AS x RETURN DISTINCT x AS c0`,
      `UNWIND ${p} AS x RETURN x AS c0 ORDER BY c0 DESC`,
      `RETURN toString(${p}) AS c0`,
      `RETURN keys(${p}) AS c0`,
    ]);
  },
  'limits from parameters': (maker) => {
    const { choice, expressions } = maker;
    const count = (): string => {
      const name = expressions.given('count', BigInt(choice.below(6)));
      return choice.of([
        name,
        name,
        `${name} + 1`,
        `toInteger(${name})`,
        `toInteger('2')`,
        '1 + 1',
        `size([1, ${name}])`,
      ]);
    };
    const match = maker.match(choice.of([0, 1]));
    const { name, label } = lastNode(maker);
    const key = `${name}.${keyOf(label)}`;
    const other = maker.nodesInScope().map((node) => `${node.name}.${keyOf(node.label)}`);
    const order = `ORDER BY ${other.join(', ')}`;
    return choice.of([
      `${match} RETURN ${other.map((one, at) => `${one} AS c${at}`).join(', ')} ORDER BY ${other.map((_, at) => `c${at}`).join(', ')} LIMIT ${count()}`,
      `${match} RETURN ${other.map((one, at) => `${one} AS c${at}`).join(', ')} ORDER BY ${other.map((_, at) => `c${at} DESC`).join(', ')} SKIP ${count()} LIMIT ${count()}`,
      `${match} WITH ${name}, ${other.map((one, at) => `${one} AS k${at}`).join(', ')} ORDER BY ${other.map((_, at) => `k${at}`).join(', ')} LIMIT ${count()} RETURN count(*) AS c0, max(${key}) AS c1`,
      `${match} WITH DISTINCT ${name} ORDER BY ${key} SKIP ${count()} MATCH (${name})--(x) RETURN ${key} AS c0, count(x) AS c1`,
      `${match} WITH ${key} AS k ${order.replace(/ORDER BY .*/, 'ORDER BY k')} LIMIT ${count()} RETURN collect(k) AS c0`,
      `UNWIND range(1, 10) AS x WITH x ORDER BY x DESC SKIP ${count()} LIMIT ${count()} RETURN sum(x) AS c0`,
      `UNWIND range(1, ${count()}) AS x RETURN x AS c0, x + ${count()} AS c1`,
      `${match} RETURN count(*) AS c0 LIMIT ${count()}`,
    ]);
  },
  'orders with nulls': (maker) => {
    const { choice, expressions } = maker;
    const node = maker.node();
    const { name: n, label } = lastNode(maker);
    const type = choice.of(['int', 'text', 'float', 'bool', 'int'] as const);
    const [first, second] = [expressions.source(type), expressions.source(choice.of(['int', 'text', 'bool']))];
    const key = `${n}.${keyOf(label)}`;
    const way = (): string => choice.of(['', ' DESC', ' ASC', ' DESCENDING']);
    const order = choice.of([
      `ORDER BY ${first}${way()}, ${key}${way()}`,
      `ORDER BY ${first}${way()}, ${second}${way()}, ${key}`,
      `ORDER BY ${first} IS NULL${way()}, ${first}${way()}, ${key} DESC`,
      `ORDER BY coalesce(${first}, ${expressions.literal(type)})${way()}, ${key}`,
      `ORDER BY CASE WHEN ${first} IS NULL THEN 1 ELSE 0 END${way()}, ${second}${way()}, ${key}`,
    ]);
    const limit = choice.of(['LIMIT 3', 'LIMIT 3000', 'SKIP 2', 'SKIP 100 LIMIT 1000', 'SKIP 1 LIMIT 3', 'LIMIT 500']);
    return choice.of([
      `MATCH ${node} WITH ${n} ${order} ${limit} RETURN count(${first}) AS c0, count(*) AS c1, min(${key}) AS c2`,
      `MATCH ${node} WITH ${n} ${order} ${limit} RETURN ${first} AS c0, count(*) AS c1`,
      `MATCH ${node} WITH ${n} ${order} WITH collect(${key}) AS l RETURN l[0] AS c0, l[-1] AS c1, l[size(l) / 2] AS c2`,
      `MATCH ${node} RETURN ${first} AS c0, ${key} AS c1 ORDER BY c0${way()}, c1${way()} ${limit}`,
      `MATCH ${node} WITH DISTINCT ${first} AS x, ${second} AS y ORDER BY x${way()}, y${way()} ${choice.of(['LIMIT 3', 'SKIP 1', ''])} RETURN x AS c0, y AS c1`,
      `MATCH ${node} WITH ${second} AS x, count(*) AS y ORDER BY y DESC, x${way()} LIMIT 2 RETURN x AS c0, y AS c1`,
      `MATCH ${node} WITH ${n} ${order} ${limit} OPTIONAL MATCH (${n})-->(m) RETURN count(m) AS c0, count(DISTINCT ${n}) AS c1`,
    ]);
  },
};
