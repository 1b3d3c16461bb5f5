import { type Family, STEPS } from './family';
import { keyOf, lastNode } from './parts';

/** Families of queries about patterns and clauses. */
export const clauseFamilies: Readonly<Record<string, Family>> = {
  'OPTIONAL MATCH': (maker) => {
    const match = maker.match(maker.choice.of([0, 0, 1]));
    const outer = maker.scope;
    const path = maker.path(maker.choice.of(STEPS));
    const isOuter = maker.choice.percent(40);
    const where = isOuter
      ? ` WHERE ${maker.within(outer, () => maker.expressions.source(maker.choice.of(['int', 'text'])))} IS NULL`
      : maker.where(50);
    return `${match} OPTIONAL MATCH ${path}${where} ${maker.returnAny()}`;
  },
  'joins by value': (maker) => {
    const [first, second] = [maker.node(), maker.node()];
    const nodes = maker.nodesInScope();
    const type = maker.choice.of(['int', 'text'] as const);
    const [left, right] = nodes.map((node) =>
      maker.within([{ name: node.name, is: { label: node.label } }], () => maker.expressions.source(type)),
    );
    const join = maker.choice.percent(50) ? `MATCH ${first} MATCH ${second}` : `MATCH ${first}, ${second}`;
    return `${join} WHERE ${left} ${maker.choice.of(['=', '=', '<'])} ${right} ${maker.returnAny()}`;
  },
  'orders that later clauses keep': (maker) => {
    const match = maker.match(0);
    const { name, label } = lastNode(maker);
    const [value = '', order = ''] = maker.columns(2);
    const rows = `${match} WITH ${name}, ${value} AS v ORDER BY ${order}${maker.choice.of(['', ' DESC'])}, ${name}.${keyOf(label)}`;
    const list = maker.choice.of([
      'RETURN',
      'WITH DISTINCT v RETURN',
      'WITH DISTINCT v LIMIT 3 RETURN',
      'WITH v WHERE v > 1 WITH v SKIP 1 LIMIT 3 RETURN',
    ]);
    return `${rows} ${list} reduce(s = '', x IN collect(${maker.choice.of(['', 'DISTINCT '])}v) | s + toString(x) + ',') AS c0`;
  },
  'relationships that must differ': (maker) => {
    const type = maker.choice.of(['ACTED_IN', 'KNOWS', 'LIKES']);
    const [person, other] = [maker.node('Person'), maker.node('Person')];
    const middle = type === 'KNOWS' ? maker.node('Person') : maker.node('Movie');
    const pattern = maker.choice.of([
      `${person}-[:${type}]->${middle}<-[:${type}]-${other}`,
      `${middle}<-[:${type}]-${person}, ${middle.replace(/:\w+/, '')}<-[:${type}]-${other}`,
      `${person}-[:${type}]-${middle}-[:${type}]-${other}`,
      `${person}-[:${type}]-${middle}-[:KNOWS|${type}]-${other}`,
    ]);
    return `MATCH ${pattern}${maker.where(40)} ${maker.returnAny()}`;
  },
  'steps of several lengths': (maker) => {
    const lengths = ['*1..2', '*2', '*..2', '*0..1', '*1..3'];
    const start = maker.node('Person', maker.choice.percent(50) ? ' {id: 1}' : '');
    const arrow = maker.choice
      .of(['-[:KNOWS#]->', '<-[:KNOWS#]-', '-[:KNOWS#]-'])
      .replace('#', maker.choice.of(lengths));
    const path = `${start}${arrow}${maker.node('Person')}`;
    return maker.choice.percent(50)
      ? `MATCH ${path}${maker.where(40)} ${maker.returnAny()}`
      : `MATCH p = ${path} ${maker.returnRows(['length(p)', ...maker.columns(1), maker.choice.of(['size(nodes(p))', 'size(relationships(p))', '[x IN nodes(p) | x.id]', '[x IN relationships(p) | x.since]'])])}`;
  },
  'shortest paths': (maker) => {
    const [from, to] = [1 + maker.choice.below(7), 1 + maker.choice.below(7)];
    const arrow = maker.choice.of(['-[:KNOWS*]->', '-[:KNOWS*1..3]-', '-[:KNOWS*..4]->']);
    return `MATCH (a:Person {id: ${from}}), (b:Person {id: ${to === from ? (to % 7) + 1 : to}}) MATCH p = shortestPath((a)${arrow}(b)) RETURN length(p), a.id, b.id`;
  },
  'patterns as conditions': (maker) => {
    const match = maker.match(maker.choice.of([0, 1]));
    const { name, label } = maker.choice.of(maker.nodesInScope());
    const { text, to } = maker.within([], () => maker.step(label));
    const pattern = text.replace(/\[r\d+/, '[');
    const detail = maker.choice.of(['', maker.property(to)]);
    const made = `(${name})${pattern}(:${to}${detail})`;
    const test = maker.choice.of([
      made,
      `NOT ${made}`,
      `EXISTS { ${made} }`,
      `exists(${made})`,
      `${made} OR ${maker.expressions.bool(0)}`,
      `COUNT { ${made} } > 1`,
      `size([${made} | 1]) = 1`,
    ]);
    return `${match} WHERE ${test} ${maker.returnAny()}`;
  },
  subqueries: (maker) => {
    const match = maker.match(0);
    const outer = maker.scope;
    const name = outer[0]?.name ?? '';
    const { label = 'Person' } = maker.nodesInScope()[0] ?? {};
    const { text, to } = maker.step(label);
    const inner = maker.node(to);
    const where = maker.choice.percent(50) ? '' : ` WHERE ${maker.expressions.bool(1)}`;
    const query = `{ MATCH (${name})${text}${inner}${where} }`;
    return maker.within(outer, () =>
      maker.choice.percent(50)
        ? `${match} WHERE ${maker.choice.of(['', 'NOT '])}EXISTS ${query} ${maker.returnAny()}`
        : `${match} ${maker.returnRows([`COUNT ${query}`, ...maker.columns(1)])}`,
    );
  },
  'steps of WITH': (maker) => {
    const match = maker.match(maker.choice.of(STEPS));
    const [first, second] = [maker.expressions.value('int', 1), maker.expressions.value('text', 1)];
    const distinct = maker.choice.of(['', 'DISTINCT ']);
    const order = maker.choice.of(['', ' ORDER BY x, y', ' ORDER BY x DESC, y LIMIT 4']);
    maker.expressions.scope = [
      { name: 'x', is: { value: 'int' } },
      { name: 'y', is: { value: 'text' } },
    ];
    const where = maker.where(50);
    const again = maker.choice.percent(40) ? ` WITH 0 - x AS x, y ORDER BY x, y` : '';
    return `${match} WITH ${distinct}${first} AS x, ${second} AS y${order}${where}${again} ${maker.returnAny()}`;
  },
  'groups before a MATCH': (maker) => {
    const match = maker.match(1);
    const node = maker.choice.of(maker.nodesInScope());
    const aggregate = maker.choice.of([
      'count(*)',
      `sum(${maker.expressions.source('int')})`,
      `max(${maker.expressions.source('int')})`,
    ]);
    maker.expressions.scope = [
      { name: node.name, is: { label: node.label } },
      { name: 'x', is: { value: 'int' } },
    ];
    const where = maker.choice.percent(40) ? ` WHERE x > ${maker.choice.below(3)}` : '';
    return `${match} WITH ${node.name}, ${aggregate} AS x${where} MATCH ${maker.path(1)} ${maker.returnAny()}`;
  },
  'a relationship of a clause before': (maker) => {
    const names = [maker.node('Person'), maker.node('Movie')];
    const type = maker.choice.of(['ACTED_IN', 'LIKES']);
    maker.bind({ name: 'r', is: { relationship: type } });
    const [person, movie] = maker.nodesInScope();
    return `MATCH ${names[0]}-[r:${type}]->${names[1]} WITH r, ${person?.name} MATCH (${person?.name})-[r]->(${movie?.name}) ${maker.returnRows()}`;
  },
  'UNWIND with nulls': (maker) => {
    const list = maker.choice.of(['[1, 2, null, 2]', '[3, 1]', '[]', 'range(0, 3)', '[1, 1, 4]']);
    maker.bind({ name: 'u', is: { value: 'int' } });
    const isJoin = maker.choice.percent(50);
    const node = isJoin
      ? ` MATCH ${maker.node(maker.choice.of(['Person', 'Movie']))} WHERE ${maker.nodesInScope()[0]?.name}.id = u`
      : '';
    return `UNWIND ${list} AS u${node} ${maker.returnAny()}`;
  },
  unions: (maker) => {
    const parts = [0, 1].map(() =>
      maker.within(
        [],
        () =>
          `${maker.match(maker.choice.of([0, 1]))}${maker.where(30)} RETURN ${maker.expressions.value('int', 1)} AS a, ${maker.expressions.value('text', 1)} AS b`,
      ),
    );
    return parts.join(maker.choice.of([' UNION ', ' UNION ALL ']));
  },
  'labels in patterns': (maker) => {
    const name = maker.expressions.fresh('n');
    const pattern = maker.choice.of([
      `(${name}:Person|Movie)`,
      `(${name})`,
      `(${name})-->(:Movie)`,
      `(${name})--(:Person)`,
    ]);
    const test = maker.choice.of([
      '',
      ` WHERE ${name}:Movie`,
      ` WHERE NOT ${name}:Person`,
      ` WHERE ${name}.active`,
      ` WHERE ${name}.active IS NULL`,
      ` WHERE ${name}.id = 2`,
    ]);
    return `MATCH ${pattern}${test} RETURN labels(${name}) AS c0, ${maker.choice.of([`${name}.id`, 'count(*)', `${name}.active`])} AS c1`;
  },
  'collect and UNWIND': (maker) => {
    const match = maker.match(maker.choice.of([0, 1]));
    const value = maker.expressions.value('int', 1);
    const distinct = maker.choice.of(['', 'DISTINCT ']);
    maker.expressions.scope = [{ name: 'x', is: { value: 'int' } }];
    return `${match} WITH collect(${distinct}${value}) AS l UNWIND l AS x ${maker.returnAny()}`;
  },
  'a list of all rows': (maker) => {
    const match = maker.match(maker.choice.of([0, 1]));
    const value = maker.expressions.source('int');
    return `${match} WITH ${value} AS x ORDER BY x WITH collect(x) AS l RETURN size(l) AS c0, l[0] AS c1, head(l) AS c2, last(l) AS c3, [y IN l WHERE y > 1 | y] AS c4`;
  },
  'OPTIONAL MATCH after OPTIONAL MATCH': (maker) => {
    const match = maker.match(0);
    const [first, second] = [0, 1].map(() => `OPTIONAL MATCH ${maker.path(1)}${maker.where(40)}`);
    return `${match} ${first} ${second} ${maker.returnAny()}`;
  },
};
