import { type Family } from './family';

/** Families of queries about steps of several lengths, and about the direction of relationships. */
export const walkFamilies: Readonly<Record<string, Family>> = {
  'the direction of undirected steps': (maker) => {
    const { choice } = maker;
    const [label, type, key] = choice.of([
      ['Person', 'KNOWS', 'id'],
      ['Account', 'PAID', 'number'],
      ['Thing', 'PART_OF', 'id'],
    ]);
    const step = choice.of([
      `(a:${label})-[r:${type}]-(b:${label})`,
      `(a:${label})-[r]-(b)`,
      `(a)-[r:${type}]-(b)`,
      `(a:${label})<-[r:${type}]-(b)`,
      `(a:${label})-[r]-(b:${label})`,
    ]);
    const value = (): string =>
      choice.of([
        'startNode(r) = a',
        'endNode(r) = a',
        'endNode(r) = b',
        'startNode(r) <> b',
        'startNode(r) = endNode(r)',
        `startNode(r).${key}`,
        `endNode(r).${key}`,
        'a = b',
        "CASE WHEN startNode(r) = a THEN 'out' ELSE 'in' END",
        'startNode(r) IN [b]',
        'labels(endNode(r))',
        `startNode(r).name = b.name`,
      ]);
    return choice.of([
      () =>
        `MATCH ${step} WHERE ${choice.of(['startNode(r) = a', 'endNode(r) = a', 'startNode(r) = endNode(r)', 'startNode(r) <> a'])} RETURN a.${key} AS c0, b.${key} AS c1, type(r) AS c2`,
      () => `MATCH ${step} RETURN a.${key} AS c0, b.${key} AS c1, ${value()} AS c2, ${value()} AS c3`,
      () => `MATCH ${step} RETURN ${value()} AS c0, count(*) AS c1, count(DISTINCT r) AS c2`,
      () =>
        `MATCH ${step} WITH r, a MATCH (x)-[r]-(y) RETURN x = a AS c0, startNode(r) = x AS c1, endNode(r).${key} AS c2`,
      () => `MATCH (a:${label}) RETURN a.${key} AS c0, [(a)-[r:${type}]-(b) WHERE startNode(r) = a | b.${key}] AS c1`,
      () => `MATCH (a:${label}) RETURN a.${key} AS c0, COUNT { MATCH (a)-[r]-() WHERE endNode(r) = a } AS c1`,
      () =>
        `MATCH p = (a:${label})-[:${type}*1..2]-(b) RETURN [r IN relationships(p) | startNode(r).${key}] AS c0, [n IN nodes(p) | n.${key}] AS c1`,
      () =>
        `MATCH p = (a:${label})-[:${type}*1..2]-(b) WHERE all(r IN relationships(p) WHERE startNode(r) <> a) RETURN a.${key} AS c0, b.${key} AS c1`,
    ])();
  },
  'walks with ways back': (maker) => {
    const { choice, expressions } = maker;
    const length = choice.of([
      '*0..2',
      '*0..1',
      '*..3',
      '*0',
      '*2..3',
      '*3',
      '*1..1',
      '*0..',
      '*2..',
      '*',
      '*3..2',
      '*0..3',
      '*1..4',
    ]);
    const types = choice.of([':KNOWS', ':KNOWS', ':KNOWS|LIKES', ':PAID', ':PART_OF', '']);
    const isShort = /^\*(?:0|[01]\.\.[12]|3\.\.2)$/.test(length);
    const label = types.includes('PAID') ? 'Account' : types.includes('PART') ? 'Thing' : 'Person';
    const key = label === 'Account' ? 'number' : 'id';
    const arrow = (name: string, map = ''): string => {
      const body = `[${name}${types}${length}${map}]`;
      return choice.of([`-${body}->`, `<-${body}-`, isShort || types === ':KNOWS' ? `-${body}-` : `-${body}->`]);
    };
    const map = choice.of([
      '',
      '',
      '',
      ` {since: ${choice.below(4)}}`,
      ` {since: 1 + ${choice.below(3)}}`,
      ` {close: ${expressions.parameter('bool')}}`,
    ]);
    const from = choice.of([
      `(a:${label})`,
      `(a:${label})`,
      label === 'Person' ? '(a:Person {id: 1})' : `(a:${label})`,
      `(:Movie)-[:LIKES*0..1]->(a:${label})`,
    ]);
    const to = choice.of([
      '(b)',
      `(b:${label})`,
      '(a)',
      '(a)',
      `(a:${label})`,
      '(a:Movie)',
      '()',
      '(b:Movie)',
      '(b {name: a.name})',
    ]);
    const b = to.includes('(b') ? 'b.name' : 'a.name';
    return choice.of([
      () => `MATCH ${from}${arrow('')}${to} RETURN a.${key} AS c0, ${b} AS c1, count(*) AS c2`,
      () => `MATCH ${from}${arrow('', map)}${to} RETURN ${b} AS c0, count(*) AS c1`,
      () => `MATCH ${from}${arrow('r')}${to} RETURN a.${key} AS c0, size(r) AS c1, count(*) AS c2`,
      () => `MATCH p = ${from}${arrow('')}${to} RETURN length(p) AS c0, count(*) AS c1, ${b} AS c2`,
      () =>
        `MATCH p = ${from}${arrow('')}${to} WHERE all(x IN nodes(p) WHERE x.name IS NOT NULL) RETURN a.${key} AS c0, length(p) AS c1`,
      () =>
        `MATCH p = ${from}${arrow('')}${to} WHERE ${choice.of(['any', 'all', 'none', 'single'])}(x IN relationships(p) WHERE x.since > 1) RETURN a.${key} AS c0, length(p) AS c1, count(*) AS c2`,
      () => `MATCH ${from}${arrow('')}${to} RETURN DISTINCT ${b} AS c0`,
      () => `MATCH ${from}${arrow('')}${to} RETURN count(DISTINCT ${b}) AS c0, count(*) AS c1`,
      () => `MATCH (a:${label}) WHERE EXISTS { MATCH (a)${arrow('')}(a) } RETURN a.${key} AS c0`,
      () => `MATCH (a:${label}) RETURN a.${key} AS c0, COUNT { (a)${arrow('')}(:${label}) } AS c1`,
      () => `MATCH (a:${label}) RETURN a.${key} AS c0, size([(a)${arrow('')}(b) | b.name]) AS c1`,
      () =>
        `MATCH (a:${label}) OPTIONAL MATCH (a)${arrow('r', map)}(b:${label}) WHERE b.name = a.name RETURN a.${key} AS c0, size(r) AS c1, count(b) AS c2`,
      () => `MATCH (a:Person)-[:KNOWS*0..2]->(b)-[:KNOWS*0..1]-(c) RETURN a.id AS c0, c.id AS c1, count(*) AS c2`,
      () => `MATCH (a:Person)-[:KNOWS*1..2]->(b), (b)-[r:KNOWS]->(c) RETURN a.id AS c0, c.id AS c1, r.since AS c2`,
      () =>
        `MATCH (a:Person), (b:Person) WHERE a.id < b.id MATCH (a)${types === ':KNOWS' ? arrow('r') : '-[r:KNOWS*1..2]-'}(b) RETURN a.id AS c0, b.id AS c1, min(size(r)) AS c2, count(*) AS c3`,
    ])();
  },
  'shortest paths between all': (maker) => {
    const { choice } = maker;
    const which = choice.of(['shortestPath', 'allShortestPaths']);
    const types = choice.of([':KNOWS', ':KNOWS', ':KNOWS|LIKES', '']);
    const length = choice.of(['*', '*..3', '*1..2', '*..2']);
    const arrow = choice.of([`-[${types}${length}]->`, `-[:KNOWS${length}]-`, `<-[:KNOWS${length}]-`]);
    const ends = choice.of([
      'MATCH (a:Person), (b:Person) WHERE a.id < b.id',
      'MATCH (a:Person {id: 1}), (b:Person) WHERE a <> b',
      'MATCH (a:Person), (b:Movie)',
      'MATCH (a:Person {id: 2}) MATCH (b:Person {id: 3})',
      'MATCH (a:Person)-[:LIKES]->(m)<-[:LIKES]-(b:Person) WHERE a.id <> b.id WITH DISTINCT a, b',
    ]);
    const path = `p = ${which}((a)${arrow}(b))`;
    return choice.of([
      `${ends} MATCH ${path} RETURN a.id AS c0, b.id AS c1, length(p) AS c2`,
      `${ends} OPTIONAL MATCH ${path} RETURN a.id AS c0, b.id AS c1, length(p) AS c2, p IS NULL AS c3`,
      `${ends} MATCH p = allShortestPaths((a)${arrow}(b)) RETURN a.id AS c0, b.id AS c1, [x IN nodes(p) | x.id] AS c2`,
      `${ends} MATCH p = allShortestPaths((a)${arrow}(b)) RETURN length(p) AS c0, count(*) AS c1, size(nodes(p)) AS c2`,
      `${ends} MATCH ${path} WITH a, max(length(p)) AS m RETURN a.id AS c0, m AS c1`,
      `MATCH (a:Person {id: 1}), ${choice.of(['(b:Person {id: 4})', '(b:Movie {id: 2})'])}, ${path} RETURN length(p) AS c0, head(nodes(p)) = a AS c1, last(nodes(p)) = b AS c2`,
      `${ends} RETURN a.id AS c0, b.id AS c1, length(shortestPath((a)${arrow}(b))) AS c2`,
      `${ends} OPTIONAL MATCH ${path} WITH a, b, p WHERE p IS NULL RETURN count(*) AS c0`,
    ]);
  },
};
