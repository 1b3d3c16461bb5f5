import { type Family } from './family';
import { keyOf, lastNode } from './parts';

/** Families of queries about subqueries, and about lists of rows that are matched again. */
export const subqueryFamilies: Readonly<Record<string, Family>> = {
  'CALL with an order and a limit': (maker) => {
    const { choice } = maker;
    const match = maker.match(choice.of([0, 0, 1]));
    const outer = choice.of(maker.nodesInScope());
    const { text: step, to } = maker.within([], () => maker.step(outer.label));
    const pattern = `(${outer.name})${step.replace(/\[r?\d*:/, '[r:')}(m:${to})`;
    const [key, own] = [`m.${keyOf(to)}`, `${outer.name}.${keyOf(outer.label)}`];
    const order = choice.of([key, `${key} DESC`, `m.name, ${key}`, `m.name DESC, ${key} DESC`, `r.since DESC, ${key}`]);
    const limit = choice.of([
      'LIMIT 1',
      'LIMIT 2',
      'SKIP 1',
      'SKIP 1 LIMIT 1',
      `LIMIT ${maker.expressions.given('limit', 1n)}`,
      'LIMIT 0',
      '',
    ]);
    const start = choice.of([`CALL { WITH ${outer.name} `, `CALL (${outer.name}) { `]);
    const optional = choice.of(['', '', 'OPTIONAL ']);
    const inner = choice.of([
      `${optional}MATCH ${pattern} RETURN ${key} AS x ORDER BY ${order} ${limit}`,
      `${optional}MATCH ${pattern} WITH m, r ORDER BY ${order} ${limit} RETURN collect(${key}) AS x`,
      `${optional}MATCH ${pattern} WITH m, r ORDER BY ${order} ${limit} RETURN count(m) AS x`,
      `${optional}MATCH ${pattern} RETURN DISTINCT ${key} AS x ORDER BY x ${limit}`,
      `${optional}MATCH ${pattern} WITH DISTINCT m ORDER BY ${key} ${limit} MATCH (m)--(y) RETURN count(y) AS x`,
      `${optional}MATCH ${pattern} WHERE m.name = ${outer.name}.name RETURN max(${key}) AS x`,
      `${optional}MATCH ${pattern} RETURN max(${key}) AS x ORDER BY x ${limit}`,
      `${optional}MATCH ${pattern} RETURN DISTINCT min(m.name) AS x`,
      `${optional}MATCH ${pattern} WITH max(${key}) AS x WHERE x IS NULL RETURN x`,
      `${optional}MATCH ${pattern} RETURN ${key} AS x, count(*) AS y ORDER BY y DESC, x ${limit}`.replace(
        ', count(*) AS y ORDER BY y DESC,',
        ' ORDER BY',
      ),
      `UNWIND [3, 1, 2] AS y RETURN y AS x ORDER BY x DESC ${limit}`,
      `UNWIND range(1, 3) AS y OPTIONAL MATCH ${pattern} WHERE m.name IS NULL RETURN sum(y) AS x`,
    ]);
    const call = `${match} ${start}${inner} }`;
    return choice.of([
      `${call} RETURN ${own} AS c0, x AS c1`,
      `${call} RETURN x AS c0, count(*) AS c1`,
      `${call} WITH ${own} AS k, x WHERE x IS NOT NULL RETURN k AS c0, x AS c1`,
      `${call} OPTIONAL MATCH (${outer.name})--(z) RETURN ${own} AS c0, x AS c1, count(z) AS c2`,
    ]);
  },
  'CALL with a UNION': (maker) => {
    const { choice } = maker;
    const match = maker.match(0);
    const outer = lastNode(maker);
    const own = `${outer.name}.${keyOf(outer.label)}`;
    const union = choice.of([' UNION ', ' UNION ALL ']);
    const importing = choice.percent(50);
    const branch = (): string => {
      const { text: step, to } = maker.within([], () => maker.step(outer.label));
      const arrow = step.replace(/\[r?\d*:/, '[r:');
      const body = choice.of([
        `MATCH (${outer.name})${arrow}(m:${to}) RETURN m.${keyOf(to)} AS x`,
        `MATCH (${outer.name})${arrow}(m:${to}) RETURN count(*) AS x`,
        `MATCH (${outer.name})${arrow}(m:${to}) RETURN ${choice.of(['max(m.key)', 'sum(m.key)', 'size(collect(m.key))']).replace('key', keyOf(to))} AS x`,
        `MATCH (${outer.name})${arrow}(m:${to}) RETURN m.name AS x ORDER BY x LIMIT 1`,
        `RETURN ${own} AS x`,
        'UNWIND [1, 1, null] AS x RETURN x',
        `OPTIONAL MATCH (${outer.name})${arrow}(m:${to}) RETURN m.${keyOf(to)} AS x`,
      ]);
      return importing ? `WITH ${outer.name} ${body}` : body;
    };
    const branches = Array.from({ length: 2 + choice.below(2) }, branch).join(union);
    const united = `CALL ${importing ? '' : `(${outer.name}) `}{ ${branches} }`;
    const found = choice.of(['--(y)', '-[:LIKES]->(y:Movie)', '-->(y) WHERE y.name IS NOT NULL']);
    const nested = `CALL (${outer.name}) { MATCH (${outer.name})${found} ${united} RETURN x }`;
    const call = `${match} ${choice.of([united, united, nested])}`;
    return choice.of([
      `${call} RETURN ${own} AS c0, x AS c1`,
      `${call} RETURN ${own} AS c0, count(x) AS c1, count(*) AS c2`,
      `${call} WITH x WHERE x IS NOT NULL RETURN DISTINCT x AS c0`,
    ]);
  },
  'CALL in CALL, and alone': (maker) => {
    const { choice } = maker;
    const label = choice.of(['Person', 'Movie']);
    return choice.of([
      `CALL { MATCH (n:${label}) RETURN n ORDER BY n.id DESC LIMIT 2 } MATCH (n)--(m) RETURN n.id AS c0, count(m) AS c1`,
      `CALL { MATCH (n:${label}) RETURN count(*) AS x } MATCH (m:Movie) RETURN m.id AS c0, x AS c1`,
      `MATCH (n:${label}) CALL (n) { MATCH (n)--(m) CALL (n, m) { RETURN n.name = m.name AS y } RETURN count(y) AS x } RETURN n.id AS c0, x AS c1`,
      `MATCH (n:${label}) CALL (n) { MATCH (n)--(m) WITH m LIMIT 100 CALL (m) { MATCH (m)--(k) RETURN count(k) AS y } RETURN sum(y) AS x } RETURN n.id AS c0, x AS c1`,
      `MATCH (n:${label}) CALL { MATCH (m:Place) RETURN max(m.size) AS x } RETURN n.id AS c0, x AS c1`,
      `MATCH (n:${label}) CALL (n) { UNWIND [1, 2] AS i RETURN i * n.id AS x } RETURN n.id AS c0, sum(x) AS c1`,
      `UNWIND [3, 1, null] AS i CALL (i) { MATCH (n:${label}) WHERE n.id = i RETURN count(n) AS x } RETURN i AS c0, x AS c1`,
      `UNWIND [3, 1] AS i CALL (i) { WITH i WHERE i > 1 RETURN i + 1 AS x } RETURN i AS c0, x AS c1`,
      `MATCH (n:${label}) CALL (n) { WITH n.id AS k UNWIND range(1, k) AS y RETURN collect(y) AS x } RETURN n.id AS c0, x AS c1`,
      `MATCH (n:${label}) OPTIONAL MATCH (n)-[:LIKES]->(m:Movie) CALL (n, m) { RETURN coalesce(m.id, n.id) AS x } RETURN n.id AS c0, x AS c1`,
    ]);
  },
  'outer names behind WITH': (maker) => {
    const { choice } = maker;
    const match = maker.match(choice.of([0, 0, 1]));
    const outer = choice.of(maker.nodesInScope());
    const own = `${outer.name}.${keyOf(outer.label)}`;
    const { text: step, to } = maker.within([], () => maker.step(outer.label));
    const key = `m.${keyOf(to)}`;
    const first = choice.of([
      `MATCH (${outer.name})${step.replace(/\[r?\d*:/, '[r:')}(m:${to})`,
      `MATCH (m:${to})`,
      `OPTIONAL MATCH (${outer.name})${step.replace(/\[r?\d*:/, '[r:')}(m:${to})`,
    ]);
    const between = choice.of([
      'WITH m',
      'WITH DISTINCT m',
      `WITH m ORDER BY ${key} LIMIT 2`,
      `WITH m.name AS k, count(*) AS c ORDER BY k, c LIMIT 3`,
      `WITH ${key} AS k WHERE k <> ${own}`,
      'WITH count(m) AS c',
      `WITH max(${key}) AS c`,
      'WITH count(*) AS c WHERE c > 1',
      `WITH count(*) AS c WHERE c <> size(${outer.name}.name)`,
      'WITH collect(m) AS l UNWIND l AS k',
      'WITH 1 AS c WITH c + 1 AS c',
    ]);
    const then = choice.of([
      `MATCH (${outer.name})--(y)`,
      `OPTIONAL MATCH (${outer.name})-->(y)`,
      `WITH DISTINCT 1 AS d MATCH (y)--(${outer.name})`,
      `WITH 1 AS d WHERE (${outer.name})-->() UNWIND [1, 2] AS y`,
      `WITH count(*) AS d WHERE EXISTS { MATCH (z:Movie) WITH z WHERE z.name = ${outer.name}.name OR z.id > d RETURN z }`,
      '',
    ]);
    const inner = `${first} ${between} ${then}`;
    const result = choice.of([`${own} AS x`, 'count(*) AS x', `${outer.name}.name AS x ORDER BY x LIMIT 2`]);
    return choice.of([
      `${match} CALL (${outer.name}) { ${inner} RETURN ${result} } RETURN ${own} AS c0, x AS c1`,
      `${match} CALL (*) { ${inner} RETURN ${result} } RETURN x AS c0, count(*) AS c1`,
      `${match} RETURN ${own} AS c0, COUNT { ${inner} RETURN ${result} } AS c1`,
      `${match} RETURN ${own} AS c0, COLLECT { ${inner} RETURN ${result} } AS c1`,
      `${match} WHERE EXISTS { ${inner} RETURN ${result} } RETURN ${own} AS c0`,
    ]);
  },
  'lists and counts of subqueries': (maker) => {
    const { choice, expressions } = maker;
    const match = maker.match(0);
    const outer = lastNode(maker);
    const { text: step, to } = maker.within([], () => maker.step(outer.label));
    const pattern = `(${outer.name})${step.replace(/\[r?\d*:/, '[r:')}(m:${to})`;
    const [key, own] = [`m.${keyOf(to)}`, `${outer.name}.${keyOf(outer.label)}`];
    const where = choice.of([
      '',
      '',
      ` WHERE m.name = ${outer.name}.name`,
      ' WHERE r.since > 1',
      ` WHERE m.name IN [${expressions.literal('text')}, ${outer.name}.name]`,
    ]);
    const collect = choice.of([
      `COLLECT { MATCH ${pattern}${where} RETURN ${key} ORDER BY ${key} }`,
      `COLLECT { MATCH ${pattern}${where} RETURN ${key} AS x ORDER BY x DESC LIMIT 2 }`,
      `COLLECT { MATCH ${pattern}${where} RETURN DISTINCT m.name AS x ORDER BY x }`,
      `COLLECT { MATCH ${pattern}${where} WITH m ORDER BY m.name DESC, ${key} SKIP 1 RETURN ${key} }`,
      `COLLECT { UNWIND [2, 1] AS x RETURN x ORDER BY x }`,
      `COLLECT { MATCH ${pattern} RETURN count(*) }`,
      `COLLECT { MATCH ${pattern}${where} RETURN max(${key}) AS x UNION ALL MATCH (m:Place {code: 'a'}) RETURN m.name AS x }`,
      `COLLECT { MATCH ${pattern}${where} RETURN max(${key}) AS x ORDER BY x }`,
    ]);
    const count = choice.of([
      `COUNT { MATCH ${pattern}${where} RETURN DISTINCT m.name }`,
      `COUNT { MATCH ${pattern}${where} RETURN m.name AS x UNION MATCH (m:Movie {id: 1}) RETURN m.title AS x }`,
      `COUNT { ${pattern}${where} }`,
      `COUNT { MATCH ${pattern} MATCH (m)--(k)${where} }`,
      `COUNT { MATCH ${pattern}, (k:Movie)${where} }`,
      `COUNT { MATCH ${pattern} WITH m WHERE EXISTS { (m)--(:Person) } RETURN m }`,
      `COUNT { MATCH ${pattern} RETURN m ORDER BY ${key} LIMIT 1 }`,
    ]);
    const exists = choice.of([
      `EXISTS { MATCH ${pattern}${where} RETURN m }`,
      `EXISTS { MATCH ${pattern} WITH count(*) AS x WHERE x > 1 RETURN x }`,
      `EXISTS { MATCH ${pattern} WHERE NOT EXISTS { (m)-->(:Movie) } }`,
      `NOT EXISTS { MATCH ${pattern} WHERE m.name <> ${outer.name}.name }`,
      `EXISTS { MATCH (x:Movie) WHERE x.id = ${expressions.source('int')} }`,
    ]);
    return choice.of([
      `${match} RETURN ${own} AS c0, ${collect} AS c1`,
      `${match} RETURN ${own} AS c0, size(${collect}) AS c1, ${count} AS c2`,
      `${match} WHERE ${exists} RETURN ${own} AS c0, ${count} AS c1`,
      `${match} WHERE ${count} ${choice.of(['>', '=', '<'])} ${choice.below(3)} RETURN ${own} AS c0`,
      `${match} RETURN ${exists} AS c0, count(*) AS c1`,
      `${match} WITH ${own} AS k, ${collect} AS l UNWIND l AS x RETURN k AS c0, x AS c1`,
      `${match} RETURN CASE WHEN ${exists} THEN ${count} ELSE -1 END AS c0, ${own} AS c1`,
      `${match} RETURN sum(${count}) AS c0`,
      `${match} WITH ${own} AS k, ${count} AS x ORDER BY x DESC, k LIMIT 3 RETURN k AS c0, x AS c1`,
    ]);
  },
  'collected, then matched again': (maker) => {
    const { choice, expressions } = maker;
    const match = maker.match(choice.of([0, 1]));
    const node = choice.of(maker.nodesInScope());
    const { name: n, label } = node;
    const key = `x.${keyOf(label)}`;
    const relationship = maker.scope.find(({ is }) => 'relationship' in is)?.name;
    const { text: step, to } = maker.within([], () => maker.step(label));
    const arrow = step.replace(/\[r?\d*:/, '[q:');
    const value = expressions.source('int');
    const distinct = choice.of(['', 'DISTINCT ']);
    const again = `MATCH (x)${arrow}(y:${to})${choice.of(['', ` WHERE y.name = x.name`, ' WHERE y.name IS NOT NULL'])}`;
    return choice.of([
      `${match} WITH collect(${distinct}${n}) AS l UNWIND l AS x ${again} RETURN ${key} AS c0, y.${keyOf(to)} AS c1`,
      `${match} WITH collect(${distinct}${n}) AS l UNWIND l AS x OPTIONAL ${again} RETURN ${key} AS c0, count(y) AS c1, size(l) AS c2`,
      `${match} WITH ${n} ORDER BY ${n}.${keyOf(label)} WITH collect(${n})[..3] AS l UNWIND l AS x ${again} RETURN ${key} AS c0, count(*) AS c1`,
      `${match} WITH ${n} ORDER BY ${n}.${keyOf(label)} WITH head(collect(${n})) AS x ${again} RETURN ${key} AS c0, y.${keyOf(to)} AS c1`,
      `${match} WITH collect({n: ${n}, v: ${value}}) AS l UNWIND l AS e WITH e.n AS x, e.v AS v ${again} RETURN ${key} AS c0, v AS c1, count(*) AS c2`,
      `${match} WITH ${value} AS v, collect(${n}) AS l UNWIND l AS x ${again} RETURN v AS c0, count(DISTINCT y) AS c1`,
      `${match} WITH collect(${n}) AS l MATCH (x:${label}) WHERE NOT x IN l RETURN ${key} AS c0`,
      `${match} WITH collect(${distinct}${n}) AS l MATCH (x:${label}) WHERE x IN l RETURN ${key} AS c0, size(l) AS c1`,
      `${match} WITH collect(${n}) AS l UNWIND l AS x UNWIND l AS z WITH x, z WHERE x = z RETURN ${key} AS c0, count(*) AS c1`,
      `${match} WITH collect(${n}) + collect(${n}) AS l UNWIND l AS x RETURN DISTINCT ${key} AS c0`,
      relationship === undefined
        ? `${match} WITH collect(${n}.${keyOf(label)}) AS l UNWIND l AS k MATCH (x:${label} {${keyOf(label)}: k}) RETURN ${key} AS c0, count(*) AS c1`
        : `${match} WITH collect(${relationship}) AS l UNWIND l AS r MATCH (x)-[r]->(y) RETURN type(r) AS c0, labels(y)[0] AS c1, count(*) AS c2`,
      `MATCH p = (:Person)-[:KNOWS*1..2]->(:Person) UNWIND nodes(p) AS x WITH DISTINCT x OPTIONAL MATCH (x)-[:LIKES]->(y:Movie) RETURN x.id AS c0, count(y) AS c1`,
    ]);
  },
};
