import { type Family } from './family';
import { keyOf, lastNode, type NamedNode, optionalNode } from './parts';

/** Families of queries about nodes, relationships and paths that are null in some rows. */
export const nullFamilies: Readonly<Record<string, Family>> = {
  'nodes left null, used again': (maker) => {
    const { text, outer, node } = optionalNode(maker);
    const { name: k, label } = node;
    const key = `${k}.${keyOf(label)}`;
    const { text: step, to } = maker.within([], () => maker.step(label));
    const arrow = step.replace(/\[r\d+/, '[');
    const returned = (): string => `RETURN ${outer.name}.${keyOf(outer.label)} AS c0, ${key} AS c1`;
    return `${text} ${maker.choice.of([
      () => `MATCH (${k}) ${maker.returnAny()}`,
      () => `OPTIONAL MATCH (${k}) ${returned()}`,
      () => `MATCH (${k}), (x:Movie) ${returned()}, x.id AS c2`,
      () => `WITH * MATCH (${k})${arrow}(x:${to}) ${returned()}, x.${keyOf(to)} AS c2`,
      () => `OPTIONAL MATCH (${k})${arrow}(x:${to}) ${returned()}, x.${keyOf(to)} AS c2`,
      () => `WITH * WHERE ${maker.choice.of(['', 'NOT '])}EXISTS { MATCH (${k}) } ${returned()}`,
      () => `WITH * WHERE ${maker.choice.of(['', 'NOT '])}(${k})${arrow}(:${to}) ${returned()}`,
      () => `${returned()}, COUNT { MATCH (${k})${arrow}(:${to}) } AS c2, EXISTS { (${k})${arrow}() } AS c3`,
      () => `${returned()}, size([(${k})${arrow}(x:${to}) | x.${keyOf(to)}]) AS c2`,
      () =>
        `${returned()}, COLLECT { MATCH (${k})${arrow}(x:${to}) RETURN x.${keyOf(to)} AS y ORDER BY y LIMIT 2 } AS c2`,
      () => `${returned()}, ${k}:${label} AS c2, labels(${k}) AS c3, ${k} IS NULL AS c4, [${k}.name, 1] AS c5`,
      () => `${returned()}, ${k} = ${outer.name} AS c2, ${k} <> ${k} AS c3, coalesce(${key}, '-') AS c4`,
      () => `RETURN ${k} AS c0, count(*) AS c1, count(${k}) AS c2`,
      () => `RETURN count(DISTINCT ${k}) AS c0, size(collect(${k})) AS c1`,
      () =>
        `WITH collect(${k}) AS l UNWIND l AS ${k} MATCH (${k})${arrow}(x:${to}) RETURN ${key} AS c0, count(*) AS c1`,
      () => `CALL (${k}) { MATCH (${k})${arrow}(x:${to}) RETURN count(x) AS y } ${returned()}, y AS c2`,
      () => `WITH ${outer.name}, ${k}, ${k} IS NULL AS y WHERE y OR ${key} = ${key} ${returned()}`,
    ])()}`;
  },
  'relationships left null': (maker) => {
    const first = maker.node(maker.choice.of(['Person', 'Account', 'Movie']));
    const { name: a, label } = lastNode(maker);
    const { text: step, to } = maker.within([], () => maker.step(label));
    const pattern = `(${a})${step.replace(/\[r?\d*:/, '[r:')}(b:${to})`;
    const where = maker.choice.of(['', ` WHERE b.${keyOf(to)} IS NULL`, ` WHERE ${maker.expressions.bool(0)}`]);
    const value = (): string =>
      maker.choice.of([
        'type(r)',
        `startNode(r) = ${a}`,
        'endNode(r) = b',
        `startNode(r).${keyOf(label)}`,
        `endNode(r).${keyOf(to)}`,
        'r IS NULL',
        'r.since',
        'startNode(r) IS NULL',
        "coalesce(type(r), '-')",
        'labels(endNode(r))',
        '[type(r), 1]',
        `CASE WHEN startNode(r) = ${a} THEN 'from' WHEN endNode(r) = ${a} THEN 'to' ELSE 'none' END`,
        `startNode(r) IN [${a}, b]`,
      ]);
    const all = `MATCH ${first} OPTIONAL MATCH ${pattern}${where}`;
    return maker.choice.of([
      () => `${all} RETURN ${a}.${keyOf(label)} AS c0, ${value()} AS c1, ${value()} AS c2`,
      () => `${all} RETURN ${value()} AS c0, count(*) AS c1, count(r) AS c2, count(DISTINCT r) AS c3`,
      () => `${all} WITH * WHERE startNode(r) = ${a} RETURN ${a}.${keyOf(label)} AS c0, r AS c1`,
      () => `${all} WITH r, ${a} MATCH (x)-[r]->(y) RETURN ${a}.${keyOf(label)} AS c0, type(r) AS c1`,
      () => `${all} WITH collect(r) AS l UNWIND l AS r RETURN type(r) AS c0, count(*) AS c1`,
    ])();
  },
  'optional steps of several lengths': (maker) => {
    const length = maker.choice.of(['*2', '*2..3', '*1..2', '*3', '*0..1']);
    const arrow = maker.choice.of([`-[r:KNOWS${length}]->`, `<-[r:KNOWS${length}]-`, `-[r:KNOWS${length}]-`]);
    const to = maker.choice.of(['()', '(b)', '(b:Person)', '(b:Person {age: 1})', '(a)']);
    const value = maker.choice.of([
      'size(r)',
      'r IS NULL',
      '[x IN r | x.since]',
      'size([x IN r WHERE x.close])',
      'last(r).since',
      'r[0].since',
      'all(x IN r WHERE x.since > 1)',
      'reduce(s = 0, x IN r | s + coalesce(x.since, 1))',
      "coalesce(size(r), 'none')",
    ]);
    const optional = `MATCH (a:Person) OPTIONAL MATCH (a)${arrow}${to}`;
    return maker.choice.of([
      `${optional} RETURN a.id AS c0, ${value} AS c1, count(*) AS c2`,
      `${optional} WITH a, r WHERE ${value} IS NULL RETURN a.id AS c0`,
      `${optional} UNWIND r AS x RETURN a.id AS c0, x.since AS c1, count(*) AS c2`,
      `${optional} RETURN a.id AS c0, max(size(r)) AS c1, count(r) AS c2`,
    ]);
  },
  'paths that are null': (maker) => {
    const length = maker.choice.of(['', '', '*1..2', '*2']);
    const type = maker.choice.of(['KNOWS', 'LIKES', 'LIVES_IN']);
    const arrow = maker.choice.of([`-[:${type}${length}]->`, `-[:${type}${length}]-`]);
    const where = maker.choice.of(['', ' WHERE b.age > 2', ' WHERE b IS NULL', ' WHERE length(p) > 1']);
    const value = (): string =>
      maker.choice.of([
        'p IS NULL',
        'length(p)',
        'size(nodes(p))',
        '[x IN nodes(p) | labels(x)[0]]',
        'relationships(p)',
        'size(relationships(p))',
        '[x IN relationships(p) | type(x)]',
        'head(nodes(p)) = a',
        "coalesce(length(p), 'none')",
        'reduce(s = 0, x IN nodes(p) | s + coalesce(x.id, 1))',
        'nodes(p)[0].name',
        'any(x IN nodes(p) WHERE x = a)',
        'startNode(relationships(p)[0]) = a',
      ]);
    const optional = `MATCH (a:Person) OPTIONAL MATCH p = (a)${arrow}(b)${where}`;
    return maker.choice.of([
      () => `${optional} RETURN a.id AS c0, ${value()} AS c1, ${value()} AS c2`,
      () => `${optional} RETURN ${value()} AS c0, count(*) AS c1, count(p) AS c2`,
      () => `${optional} RETURN a.id AS c0, p AS c1`,
      () => `${optional} WITH a, p WHERE ${value()} IS NULL RETURN a.id AS c0`,
      () => `${optional} UNWIND nodes(p) AS x RETURN a.id AS c0, labels(x)[0] AS c1, count(*) AS c2`,
    ])();
  },
  'outer entities in conditions': (maker) => {
    const { text, outer, node } = optionalNode(maker);
    const [n, m] = [outer.name, node.name];
    const { text: step, to } = maker.within([], () => maker.step(outer.label));
    const arrow = step.replace(/\[r?\d*:/, '[q:');
    const pattern = `(${n})${arrow}(x:${to})`;
    const own: NamedNode = { name: 'x', label: to };
    const flag = outer.label === 'Account' ? 'open' : outer.label === 'Place' ? 'size = 1' : 'active';
    const condition = maker.choice.of([
      `${m} IS NULL`,
      `${m} IS NOT NULL`,
      `${n}:${maker.choice.of([outer.label, 'Movie', 'Person'])}`,
      `NOT ${m}:${node.label}`,
      `coalesce(${n}.${flag}, true)`,
      `coalesce(${n}.${flag}, false) OR ${m} IS NULL`,
      `labels(${n})[0] = ${maker.expressions.given('label', maker.choice.of(['Person', 'Movie']))}`,
      `${m} = x`,
      `${n} = x OR ${m}.name IS NULL`,
      `type(q) = ${maker.expressions.given('type', maker.choice.of(['KNOWS', 'LIKES', 'PAID']))}`,
      `${n}.name = x.name OR ${m} IS NULL`,
      `startNode(q) = ${n}`,
      `coalesce(${m}.name, x.name) = x.name`,
      `any(y IN [${n}.name, ${m}.name] WHERE y = x.name)`,
      `CASE WHEN ${m} IS NULL THEN ${n}.name = x.name ELSE true END`,
      `EXISTS { MATCH (${m})--(x) } OR ${n}.name = 'a'`,
    ]);
    const key = `${n}.${keyOf(outer.label)} AS c0, ${m}.${keyOf(node.label)} AS c1`;
    const inner = `${pattern} WHERE ${condition}`;
    return `${text} ${maker.choice.of([
      `OPTIONAL MATCH ${inner} RETURN ${key}, x.${keyOf(own.label)} AS c2`,
      `MATCH ${inner} RETURN ${key}, x.${keyOf(own.label)} AS c2`,
      `RETURN ${key}, COUNT { MATCH ${inner} } AS c2`,
      `RETURN ${key}, EXISTS { MATCH ${inner} } AS c2`,
      `WITH * WHERE ${maker.choice.of(['', 'NOT '])}EXISTS { MATCH ${inner} } RETURN ${key}`,
      `WITH * WHERE COUNT { MATCH ${inner} } = 1 RETURN ${key}`,
      `RETURN ${key}, size([${pattern} WHERE ${condition} | 1]) AS c2`,
      `OPTIONAL MATCH ${inner} RETURN ${key}, count(x) AS c2, count(*) AS c3`,
    ])}`;
  },
};
