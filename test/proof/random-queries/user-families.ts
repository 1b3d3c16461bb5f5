import { type Value } from '../../../pod/graph/engine/evaluate/values';
import { literalOf } from './expressions';
import { type Family, STEPS } from './family';
import { type QueryMaker } from './query-maker';
import { KEY_TEXTS } from './random-world';

/** Queries as users write them: many clauses, reused names, lists, maps and unusual keys. */
export const userFamilies: Readonly<Record<string, Family>> = {
  'unusual keys of text': (maker) => {
    const node = maker.node('Place');
    const name = lastName(maker);
    const text = (): string => {
      const value = maker.choice.of(KEY_TEXTS);
      return maker.choice.percent(50) ? literalOf(value) : maker.expressions.given('text', value);
    };
    const code = `${name}.code`;
    const test = maker.choice.of([
      `${code} = ${text()}`,
      `${code} IN [${text()}, ${text()}]`,
      `${code} ${maker.choice.of(['<', '<=', '>', '>='])} ${text()}`,
      `${code} STARTS WITH ${text()}`,
      `NOT ${code} = ${text()}`,
      `${code} = ${text()} OR ${name}.size = 1`,
      `${code} > ${text()} AND ${code} <= ${text()}`,
      `trim(${code}) = ${text()}`,
    ]);
    return maker.choice.of([
      `MATCH ${node} WHERE ${test} ${maker.returnRows([`size(${code})`, `left(${code}, 2)`])}`,
      `MATCH (${name}:Place {code: ${text()}}) ${maker.returnRows([`size(${code})`, ...maker.columns(1)])}`,
      `UNWIND [${text()}, ${text()}] AS u MATCH ${node} WHERE ${code} = u ${maker.returnRows([`size(u)`, `${name}.size`])}`,
      `MATCH (${name}:Place {code: ${text()}})<-[:LIVES_IN]-${maker.node('Person')} ${maker.returnAny()}`,
      `MATCH ${node}, ${maker.node('Place')} WHERE ${code} < ${lastName(maker)}.code RETURN count(*) AS c0, count(DISTINCT ${code}) AS c1`,
    ]);
  },
  'great keys': (maker) => {
    const node = maker.node('Account');
    const number = `${lastName(maker)}.number`;
    const big = (): string => maker.expressions.literal('big');
    const test = maker.choice.of([
      `${number} ${maker.choice.of(['=', '<', '<=', '>', '>=', '<>'])} ${big()}`,
      `${number} IN [${big()}, ${big()}]`,
      `${number} > ${big()} AND ${number} < ${big()}`,
      `${number} - 1 = ${big()} - 1`,
    ]);
    return maker.choice.of([
      `MATCH ${node} WHERE ${test} ${maker.returnRows([number, ...maker.columns(1)])}`,
      `MATCH ${node} WHERE ${test} ${maker.returnGroups(1)}`,
      `UNWIND [${big()}, ${big()}, 3] AS u MATCH ${node.replace(')', ' {number: u})')} ${maker.returnRows([number, 'u'])}`,
      `MATCH ${node}-[:PAID]->${maker.node('Account')} WHERE ${number} <= ${lastName(maker)}.number RETURN ${number} AS c0, count(*) AS c1, max(${number}) AS c2`,
    ]);
  },
  'a condition on an outer null': (maker) => {
    const match = maker.match(0);
    const optional = `OPTIONAL MATCH ${maker.path(1)}${maker.where(50)}`;
    const outer = maker.scope;
    const value = (): string => maker.within(outer, () => maker.expressions.source(maker.choice.of(['int', 'text'])));
    const { text, to } = maker.step(maker.nodesInScope()[0]?.label ?? 'Person');
    const pattern = `(${outer[0]?.name})${text}${maker.node(to)}`;
    const where = maker.choice.of([
      `${value()} IS NULL`,
      `${value()} IS NULL OR ${maker.expressions.bool(0)}`,
      `${value()} = ${maker.expressions.source('int')}`,
      `coalesce(${value()}, 1) = 1`,
    ]);
    const inner = `${pattern} WHERE ${where}`;
    return maker.choice.percent(50)
      ? `${match} ${optional} OPTIONAL MATCH ${inner} ${maker.returnAny()}`
      : maker.within(outer, () =>
          maker.choice.percent(50)
            ? `${match} ${optional} WITH * WHERE ${maker.choice.of(['', 'NOT '])}EXISTS { ${inner} } ${maker.returnAny()}`
            : `${match} ${optional} ${maker.returnRows([`EXISTS { MATCH ${inner} }`, ...maker.columns(1)])}`,
        );
  },
  'two patterns that can bind one edge': (maker) => {
    const type = maker.choice.of(['KNOWS', 'PAID']);
    const label = type === 'PAID' ? 'Account' : 'Person';
    const [a = '', b = '', c = ''] = [1, 2, 3].map(() => maker.node(label));
    const again = (node: string): string => node.replace(`:${label}`, '');
    const pattern = maker.choice.of([
      `${a}-[:${type}]->${b}, ${again(a)}-[:${type}]->${c}`,
      `${a}-[:${type}]->${b}, ${c}-[:${type}]->${again(b)}`,
      `${a}-[:${type}]-${b}-[:${type}*1..2]-${c}`,
      `${a}-[:${type}]->${b}-[:${type}]->${again(a)}, ${again(b)}-[:${type}]-${c}`,
      `${a}-[:${type}*1..2]->${b}<-[:${type}]-${c}`,
      `${a}-->${b}<--${c}`,
      `${a}--${b}--${c}`,
      `${a}-[:${type}]->${again(a)}, ${again(a)}-[:${type}]-${b}, ${c}`,
      `${a}-[:${type}*0..1]-${b}, ${again(b)}-[:${type}]->${c}`,
      `${a}-[:${type}]->${b}-[:${type}]->${c}`,
    ]);
    return `MATCH ${pattern}${maker.where(30)} ${maker.choice.percent(50) ? maker.returnRows() : maker.returnGroups(1)}`;
  },
  'sums of CASE': (maker) => {
    const match = maker.match(maker.choice.of(STEPS));
    const flag = (): string =>
      maker.choice.percent(60) ? maker.expressions.source('bool') : maker.expressions.bool(1);
    const made = (): string =>
      maker.choice.of([
        `sum(CASE WHEN ${flag()} THEN 1 ELSE 0 END)`,
        `count(CASE WHEN ${flag()} THEN ${maker.expressions.source('int')} END)`,
        `collect(DISTINCT CASE WHEN ${flag()} THEN 'yes' ELSE 'no' END)`,
        `avg(CASE ${maker.expressions.source('text')} WHEN 'a' THEN 1.5 WHEN null THEN 2 ELSE ${maker.expressions.source('int')} END)`,
        `max(CASE WHEN ${flag()} THEN CASE WHEN ${flag()} THEN 2 ELSE 1 END ELSE 0 END)`,
      ]);
    const key = maker.choice.of([
      '',
      `${maker.expressions.source('text')} AS k, `,
      `CASE WHEN ${flag()} THEN 1 ELSE 2 END AS k, `,
    ]);
    return `${match} RETURN ${key}${made()} AS c0, ${made()} AS c1`;
  },
  'DISTINCT aggregates beside others': (maker) => {
    const match = maker.match(maker.choice.of([0, 1, 2]));
    const key = maker.expressions.source(maker.choice.of(['int', 'text', 'bool']));
    const [first, second, third] = [0, 1, 2].map(() => maker.aggregate());
    const distinct = `count(DISTINCT ${maker.expressions.source(maker.choice.of(['int', 'text', 'date']))})`;
    const where = maker.choice.of(['', ' WHERE c2 > 1', ' WHERE c0 IS NOT NULL AND c2 < 5']);
    const collected = `${match} WITH ${key} AS c0, ${first} AS c1, ${distinct} AS c2, ${second} AS c3`;
    return maker.choice.percent(50)
      ? `${collected}${where} RETURN c0, c1, c2, c3`
      : `${match} RETURN ${distinct} AS c0, ${first} AS c1, ${second} AS c2, ${third} AS c3`;
  },
  'names that shadow': (maker) => {
    const match = maker.match(maker.choice.of([0, 1]));
    const { name } = maker.choice.of(maker.nodesInScope());
    const value = maker.expressions.source('int');
    return maker.choice.of([
      `${match} WITH ${value} AS ${name} RETURN ${name} AS c0, ${name} + 1 AS c1`,
      `${match} WITH ${value} AS x, ${name} AS y WITH y AS x, x AS y RETURN x AS c0, y AS c1`,
      `${match} WITH ${value} AS id, ${name} RETURN id AS c0, ${name}.name AS c1, id IS NULL AS c2`,
      `${match} WITH ${value} AS x WITH x + 1 AS x WHERE x > 1 WITH x * 2 AS x RETURN x AS c0 ORDER BY c0`,
      `${match} WITH DISTINCT ${value} AS x UNWIND [x, 1] AS y WITH y AS x RETURN x AS c0, count(*) AS c1`,
      `${match} RETURN [${name} IN [1, 2] | ${name} + 1] AS c0, ${value} AS c1`,
      `${match} WITH ${value} AS count, ${name} RETURN count AS c0, count(*) AS c1`,
      `${match} WITH count(*) AS ${name} MATCH (m:Movie) RETURN m.id + ${name} AS c0`,
      `${match} WITH ${name}, ${value} AS x ORDER BY x DESC, ${name}.id RETURN x AS ${name}, ${name}.id AS x`,
    ]);
  },
  'names in other case': (maker) => {
    maker.expressions.parameters.set('p', 3n).set('P', 2n);
    const [name, other] = ['a', 'A'];
    const labels = maker.choice.of([
      ['Person', 'KNOWS', 'Person'],
      ['Person', 'LIKES', 'Movie'],
    ]);
    const match = `match (${name}:${labels[0]})-[:${labels[1]}]->(${other}:${labels[2]})`;
    return maker.choice.of([
      `${match} Where ${name}.id < 4 return ${name}.id as x, ${other}.id as X`,
      `${match} with ${name}.id as id, ${other} Return id as c0, Count(*) As c1, COLLECT(Distinct ${other}.id) as c2`,
      `${match} RETURN ${name}.ID AS c0, ${other}.id AS c1`,
      `match (n:person) return count(*) as c0`,
      `MATCH (n:Person)-[:knows]->(m) RETURN count(m) AS c0`,
      `MATCH (n:Person) WHERE n.Name IS NULL RETURN n.id AS c0`,
      `MATCH (n:Person) RETURN toupper(n.name) AS c0, SIZE(n.tags) AS c1, TOSTRING(n.id) AS c2`,
      `MATCH (n:Person) WITH n.id AS id, n.name AS ID RETURN id AS c0, ID AS c1`,
      'MATCH (n:Movie {id: $P}) RETURN n.id AS c0, $p AS c1',
    ]);
  },
  'lists and maps as parameters': (maker) => {
    const node = maker.node(maker.choice.of(['Person', 'Movie']));
    const name = lastName(maker);
    const ids = maker.expressions.given('ids', maker.choice.of([[1n, 3n, 5n], [], [2n, null], [7n, 7n]]));
    const map = maker.expressions.given(
      'map',
      new Map<string, Value>([
        ['id', maker.choice.of([1n, 4n])],
        ['name', maker.choice.of(['a', null])],
      ]),
    );
    const rows = maker.expressions.given('rows', [
      new Map([
        ['id', 1n],
        ['by', 2n],
      ]),
      new Map<string, Value>([
        ['id', 2n],
        ['by', null],
      ]),
      new Map([
        ['id', 9n],
        ['by', 2n],
      ]),
    ]);
    return maker.choice.of([
      `MATCH ${node} WHERE ${name}.id IN ${ids} ${maker.returnRows()}`,
      `MATCH ${node} WHERE NOT ${name}.id IN ${ids} ${maker.returnAny()}`,
      `UNWIND ${ids} AS u OPTIONAL MATCH ${node} WHERE ${name}.id = u RETURN u AS c0, ${name}.id AS c1`,
      `UNWIND ${rows} AS row MATCH ${node.replace(')', ' {id: row.id})')} RETURN row.id AS c0, row.by + ${name}.id AS c1`,
      `MATCH ${node} WHERE ${name}.id = ${map}.id ${maker.returnRows([`${map}.name`, ...maker.columns(1)])}`,
      `RETURN ${ids}[0] AS c0, size(${ids}) AS c1, head(tail(${ids})) AS c2, ${map}.name AS c3`,
      `MATCH ${node} ${maker.returnRows([`${name}.id IN ${ids}`, `[x IN ${ids} WHERE x > ${name}.id]`])}`,
      `MATCH ${node} WHERE any(x IN ${ids} WHERE x = ${name}.id) ${maker.returnAny()}`,
      `UNWIND ${rows} AS row WITH row.by AS by, count(*) AS n RETURN by AS c0, n AS c1 ORDER BY c0`,
    ]);
  },
  'map projections': (maker) => {
    const match = maker.match(maker.choice.of([0, 1]));
    const { name } = maker.choice.of(maker.nodesInScope());
    const value = maker.expressions.value('int', 1);
    return maker.choice.of([
      `${match} RETURN ${name} {.id, .name} AS c0`,
      `${match} RETURN ${name} {.*, x: ${value}} AS c0`,
      `${match} RETURN ${name} {.name, x: ${value}, y: [1, ${value}]} AS c0`,
      `${match} WITH ${name}, count(*) AS k RETURN ${name} {.name, k} AS c0`,
      `${match} RETURN collect(DISTINCT ${name} {.name}) AS c0`,
      `${match} WITH ${name} {.name, x: ${value}} AS m RETURN m.x AS c0, m.name AS c1, m.missing AS c2`,
      `${match} RETURN {count: count(*), all: collect(DISTINCT ${name}.name)} AS c0`,
      `${match} WITH {x: ${value}, n: ${name}} AS m RETURN m.x AS c0, m.n.name AS c1`,
    ]);
  },
  'pattern comprehensions': (maker) => {
    const match = maker.match(0);
    const outer = maker.scope;
    const { name, label } = maker.nodesInScope()[0] ?? { name: '', label: 'Person' };
    const { text, to } = maker.step(label);
    const pattern = `(${name})${text}${maker.node(to)}`;
    const value = maker.expressions.value(maker.choice.of(['int', 'text']), 1);
    const list = `[${pattern}${maker.where(50)} | ${value}]`;
    return maker.within(outer, () =>
      maker.choice.of([
        `${match} RETURN ${list} AS c0, ${maker.expressions.value('int')} AS c1`,
        `${match} RETURN size(${list}) AS c0, ${maker.expressions.value('text')} AS c1`,
        `${match} WITH ${name}, ${list} AS l WHERE size(l) > 0 RETURN ${name}.name AS c0, size(l) AS c1`,
        `${match} WITH ${list} AS l UNWIND l AS x RETURN x AS c0, count(*) AS c1`,
      ]),
    );
  },
  'CALL of a subquery': (maker) => {
    const match = maker.match(0);
    const outer = maker.scope;
    const { name, label } = maker.nodesInScope()[0] ?? { name: '', label: 'Person' };
    const { text, to } = maker.step(label);
    const pattern = `(${name})${text}${maker.node(to)}`;
    const where = maker.where(40);
    const result = maker.choice.of([
      `RETURN count(*) AS x`,
      `RETURN sum(${maker.expressions.source('int')}) AS x`,
      `RETURN ${maker.expressions.value('int', 1)} AS x`,
      `RETURN max(${maker.expressions.source('int')}) AS x`,
    ]);
    const before = maker.choice.of([`CALL { WITH ${name} `, `CALL (${name}) { `]);
    const call = `${match} ${before}${maker.choice.of(['', 'OPTIONAL '])}MATCH ${pattern}${where} ${result} }`;
    return maker.within([...outer, { name: 'x', is: { value: 'int' } }], () => `${call} ${maker.returnAny()}`);
  },
  'the first rows, then more': (maker) => {
    const match = maker.match(0);
    const [{ name, label } = { name: '', label: 'Person' }] = maker.nodesInScope();
    const key = { Place: 'code', Account: 'number' }[label] ?? 'id';
    const by = maker.expressions.value(maker.choice.of(['int', 'text']), 1);
    const order = `ORDER BY ${by}${maker.choice.of(['', ' DESC'])}, ${name}.${key}`;
    const first = `${match} WITH ${name} ${order} ${maker.choice.of(['LIMIT 3', 'SKIP 1 LIMIT 2', 'SKIP 2'])}`;
    return maker.choice.of([
      () => `${first} ${maker.returnAny()}`,
      () => `${first} MATCH ${maker.path(1)} ${maker.returnAny()}`,
      () => `${first} OPTIONAL MATCH ${maker.path(1)} ${maker.returnAny()}`,
      () =>
        `${match} WITH ${name} ${order} WITH collect(${name}.${key}) AS l RETURN l[0] AS c0, l[0..2] AS c1, size(l) AS c2`,
      () =>
        `${match} WITH ${name}, ${by} AS x ORDER BY x, ${name}.${key} WITH x, collect(${name}.${key})[..2] AS l RETURN x AS c0, head(l) AS c1, size(l) AS c2`,
    ])();
  },
  'lists in lists': (maker) => {
    const match = maker.match(maker.choice.of([0, 1]));
    const list = (): string => maker.expressions.list(1);
    const int = maker.expressions.source('int');
    const made = (): string =>
      maker.choice.of([
        () => `[x IN ${list()} | [x, ${int}]]`,
        () => `any(x IN ${list()} WHERE any(y IN ${list()} WHERE x = y))`,
        () => `[x IN range(0, 2) WHERE x IN ${list()}]`,
        () => `reduce(s = '', x IN ${list()} | s + toString(x))`,
        () => `size([x IN ${list()} WHERE x IS NULL])`,
        () => `[${list()}, ${list()}][1][0]`,
        () => `[x IN [y IN ${list()} WHERE y > 0] | x + ${int}]`,
        () => `${list()} = ${list()}`,
        () => `${int} IN ${list()}`,
        () => `all(x IN ${list()} WHERE x IN ${list()})`,
        () => `reduce(s = 0, x IN [z IN ${list()} WHERE z IS NOT NULL] | CASE WHEN x > s THEN x ELSE s END)`,
      ])();
    return `${match} ${maker.returnRows([made(), made()])}`;
  },
  'joins by values of WITH': (maker) => {
    const match = maker.match(maker.choice.of([0, 1]));
    const type = maker.choice.of(['int', 'text'] as const);
    const value = maker.expressions.source(type);
    const carried = `${match} WITH ${maker.choice.of(['', 'DISTINCT '])}${value} AS x`;
    maker.expressions.scope = [{ name: 'x', is: { value: type } }];
    const node = maker.node();
    const same = maker.within(maker.scope.slice(1), () => maker.expressions.source(type));
    return maker.choice.of([
      () => `${carried} MATCH ${node} WHERE ${same} = x ${maker.returnAny()}`,
      () => `${carried} OPTIONAL MATCH ${node} WHERE ${same} = x ${maker.returnAny()}`,
      () => `${carried} MATCH ${node} WHERE ${same} <> x OR x IS NULL ${maker.returnAny()}`,
      () =>
        `${match} WITH collect(${value}) AS l MATCH ${node} WHERE ${same} IN l RETURN count(*) AS c0, size(l) AS c1`,
      () =>
        `${match} WITH collect(DISTINCT ${value}) AS l UNWIND l AS x MATCH ${node} WHERE ${same} = x ${maker.returnAny()}`,
      () => `${match} WITH max(${value}) AS x MATCH ${node} WHERE ${same} = x ${maker.returnAny()}`,
    ])();
  },
  'paths and their parts': (maker) => {
    const type = maker.choice.of(['KNOWS', 'PAID']);
    const [label, key] = type === 'PAID' ? ['Account', 'number'] : ['Person', 'id'];
    const length = maker.choice.of(['', '*1..2', '*2..3', '*..2']);
    const arrow = maker.choice.of([`-[:${type}${length}]->`, `<-[:${type}${length}]-`, `-[:${type}${length}]-`]);
    const path = `MATCH p = ${maker.node(label)}${arrow}${maker.node(label)}`;
    const [flag, int] = type === 'PAID' ? ['open', 'limit'] : ['active', 'age'];
    return maker.choice.of([
      `${path} WHERE all(x IN nodes(p) WHERE x.${flag}) RETURN length(p) AS c0, [x IN nodes(p) | x.${key}] AS c1`,
      `${path} WHERE none(x IN nodes(p) WHERE x.${int} IS NULL) RETURN count(*) AS c0`,
      `${path} WHERE any(r IN relationships(p) WHERE r.${type === 'PAID' ? 'amount' : 'since'} > 1) RETURN length(p) AS c0, count(*) AS c1`,
      `${path} RETURN reduce(s = 0, x IN nodes(p) | s + coalesce(x.${int}, 0)) AS c0, count(*) AS c1`,
      `${path} RETURN head(nodes(p)).${key} AS c0, last(nodes(p)).${key} AS c1, size(relationships(p)) AS c2`,
      `${path} WITH nodes(p) AS l UNWIND l AS x RETURN x.${key} AS c0, count(*) AS c1`,
      `${path} RETURN [r IN relationships(p) | type(r)] AS c0, startNode(relationships(p)[0]).${key} AS c1`,
      `${path} WHERE single(x IN nodes(p) WHERE x.${int} = 1) RETURN p AS c0`,
    ]);
  },
};

const lastName = (maker: QueryMaker): string => maker.scope.at(-1)?.name ?? '';
