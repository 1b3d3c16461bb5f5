import { type Value } from '../../../pod/graph/engine/evaluate/values';
import { type Family } from './family';
import { keyOf, lastNode } from './parts';
import { KEYWORD_PROPERTIES } from './random-world';

const LABEL_LISTS: readonly Value[] = [['Person'], ['Movie', 'Place'], [], ['Missing'], [null, 'Thing']];
const TYPE_LISTS: readonly Value[] = [['KNOWS'], ['LIKES', 'PAID'], [], ['MISSING'], [null, 'HAS']];
/** Properties with other types in another label, or of another relationship type. */
const AMBIGUOUS = ['id', 'name', 'age', 'score', 'active', 'tags', 'born', 'big'];
const NAMES = [
  '`a b`',
  'é',
  '日本',
  '`select`',
  '`ORDER BY`',
  '`n``m`',
  'Count',
  '`"q"`',
  "`it's`",
  '`$x`',
  '`a.b`',
  '_id',
  '_from',
  'rowid',
  '`null`',
  '`{}`',
  '`--`',
  'N',
  'n',
  'from',
  'left',
  'table',
  '`1`',
  'value',
  'e1',
];

/** Families of queries about the names of labels, types, properties, variables and columns. */
export const nameFamilies: Readonly<Record<string, Family>> = {
  'labels and types beside parameters': (maker) => {
    const label = maker.expressions.given('label', maker.choice.of(['Person', 'Movie', 'Missing', null]));
    const labels = maker.expressions.given('labels', maker.choice.of(LABEL_LISTS));
    const type = maker.expressions.given('type', maker.choice.of(['KNOWS', 'LIKES', 'OWNS', 'MISSING', null]));
    const types = maker.expressions.given('types', maker.choice.of(TYPE_LISTS));
    const flag = maker.expressions.given('flag', maker.choice.of([true, false, null]));
    const pattern = maker.choice.of([
      '(n)-[r]->(m)',
      '(n:Person)-[r]-(m)',
      '(n:Person)-[r:KNOWS|LIKES]->(m)',
      '(n:Person)-[r:LIKES]->(m:Movie)',
      '(n)-[r:KNOWS|HAS]->(m)',
      '(n:Person|Account)-[r]->(m)',
    ]);
    const condition = (): string =>
      maker.choice.of([
        `type(r) = ${type}`,
        `type(r) <> ${type}`,
        `type(r) IN ${types}`,
        `NOT type(r) IN ${types}`,
        `type(r) STARTS WITH ${type}`,
        `toLower(type(r)) = toLower(${type})`,
        `${label} IN labels(n)`,
        `NOT ${label} IN labels(m)`,
        `labels(n) = ${labels}`,
        `labels(n)[0] = ${label}`,
        `labels(m)[0] IN ${labels}`,
        `head(labels(m)) = ${label}`,
        `any(l IN labels(n) WHERE l IN ${labels})`,
        `all(l IN labels(m) WHERE l <> ${label})`,
        'n:Person',
        'NOT m:Movie',
        '(m:Movie OR m:Thing)',
        flag,
        `size(labels(n)) = 1`,
      ]);
    const test = `${condition()} ${maker.choice.of(['AND', 'OR', 'XOR'])} ${condition()}`;
    const where = maker.choice.of([condition(), test, `NOT (${test})`]);
    return maker.choice.of([
      () =>
        `MATCH ${pattern} WHERE ${where} RETURN labels(n)[0] AS c0, type(r) AS c1, labels(m)[0] AS c2, count(*) AS c3`,
      () => `MATCH ${pattern} RETURN ${condition()} AS c0, ${condition()} AS c1, count(*) AS c2`,
      () =>
        `MATCH (n) OPTIONAL MATCH (n)-[r]->(m) WHERE ${where} RETURN labels(n)[0] AS c0, type(r) AS c1, count(*) AS c2`,
      () => `MATCH (n) WHERE EXISTS { MATCH (n)-[r]-(m) WHERE ${where} } RETURN labels(n)[0] AS c0, count(*) AS c1`,
      () => `MATCH (n) RETURN labels(n)[0] AS c0, sum(COUNT { MATCH (n)-[r]->(m) WHERE ${where} }) AS c1`,
      () => `MATCH (n) RETURN labels(n)[0] AS c0, sum(size([(n)-[r]->(m) WHERE ${where} | 1])) AS c1`,
    ])();
  },
  'one name, several types': (maker) => {
    const property = maker.choice.of(AMBIGUOUS);
    const pattern = maker.choice.of(['(n)', '(n:Person|Thing)', '(n:Thing|person)', '(n:Thing)', '(:Person)-->(n)']);
    const value = (): string =>
      maker.choice.of(["'a'", '1', '2', '0.5', 'true', "'1'", '1.0', "''", 'null', "date('2000-02-29')", "['b']"]);
    const x = `n.${property}`;
    const test = maker.choice.of([
      `${x} ${maker.choice.of(['=', '<>', '<', '>', '<=', '>='])} ${value()}`,
      `${x} IN [${value()}, ${value()}]`,
      `${x} IS NOT NULL`,
      `${x} = ${maker.expressions.given('v', maker.choice.of(['a', 1n, 0.5, true, null]))}`,
      `NOT ${x} = ${value()}`,
      `${x} = ${x}`,
    ]);
    const order = maker.choice.of(['', ' DESC']);
    return maker.choice.of([
      () => `MATCH ${pattern} WHERE ${test} RETURN labels(n)[0] AS c0, ${x} AS c1`,
      () => `MATCH ${pattern} RETURN labels(n)[0] AS c0, ${x} AS c1, ${test} AS c2`,
      () => `MATCH ${pattern} RETURN ${x} AS c0 ORDER BY c0${order}${maker.choice.of(['', ' LIMIT 5', ' SKIP 4'])}`,
      () => `MATCH ${pattern} RETURN ${x} AS c0, count(*) AS c1`,
      () => `MATCH ${pattern} RETURN DISTINCT ${x} AS c0`,
      () => `MATCH ${pattern} RETURN count(DISTINCT ${x}) AS c0, count(${x}) AS c1`,
      () => `MATCH ${pattern} RETURN min(${x}) AS c0, max(${x}) AS c1`,
      () => `MATCH ${pattern} RETURN collect(${x}) AS c0`,
      () => `MATCH ${pattern} RETURN coalesce(${x}, ${value()}) AS c0, [${x}, ${value()}] AS c1`,
      () => `MATCH ${pattern} RETURN CASE ${x} WHEN ${value()} THEN 1 WHEN ${value()} THEN 2 END AS c0, count(*) AS c1`,
      () => `MATCH (n:Person), (m:Thing) WHERE ${x} = m.${property} RETURN n.id AS c0, m.id AS c1`,
      () => `MATCH (n:Person), (m:Thing) WHERE ${x} = m.${maker.choice.of(AMBIGUOUS)} RETURN n.id AS c0, m.id AS c1`,
      () => `MATCH ()-[n]->() RETURN type(n) AS c0, n.since AS c1, n.since = ${value()} AS c2, n.close AS c3`,
      () => `MATCH ()-[n:KNOWS|HAS]->() RETURN n.since AS c0, n.close AS c1 ORDER BY c0${order}, c1`,
      () => `MATCH ${pattern} RETURN n AS c0`,
      () => `MATCH ${pattern} RETURN n {.${property}, .id} AS c0`,
      () => `MATCH ${pattern} WITH n.id AS k, ${x} AS x WHERE x IS NOT NULL RETURN x AS c0, k AS c1 ORDER BY c0, c1`,
    ])();
  },
  'names of every kind': (maker) => {
    const names = [...NAMES];
    const next = (): string => {
      const name = maker.choice.of(names);
      names.splice(names.indexOf(name), 1);
      return name;
    };
    const [a, b, c, d, e] = [next(), next(), next(), next(), next()];
    maker.expressions.parameters.set('é', 2n);
    return maker.choice.of([
      `MATCH (${a}:Person)-[${b}:KNOWS]->(${c}:Person) RETURN ${a}.id AS ${d}, ${b}.since AS ${e}, ${c}.id AS ${b}`,
      `MATCH (${a}:Person) WITH ${a}.id AS ${b}, ${a} AS ${c} WHERE ${b} > $é RETURN ${b} AS ${c}, ${c}.name AS ${b}`,
      `UNWIND [1, 2] AS ${a} UNWIND [3, 4] AS ${b} WITH ${a} + ${b} AS ${c}, ${a} AS ${d} RETURN ${c} AS ${d}, ${d} AS ${e}`,
      `MATCH (${a}:Person) RETURN [${b} IN [1, 2] WHERE ${b} > 1 | ${b} + ${a}.id] AS ${c}, {${b}: 1, ${d}: ${a}.id} AS ${e}`,
      `MATCH (${a}:Person) WHERE EXISTS { MATCH (${a})-[${b}:LIKES]->(${c}:Movie) WHERE ${b}.stars = ${c}.id } RETURN ${a}.id AS ${d}, COUNT { (${a})-->(${e}) } AS ${b}`,
      `MATCH (${a}:Person) OPTIONAL MATCH (${a})-[${b}:LIKES]->(${c}:Movie) RETURN ${a}.id AS ${b}, count(${c}) AS ${a}, max(${b}.stars) AS ${c}`,
      `MATCH (${a}:Person) RETURN ${a}.id AS ${b} ORDER BY ${b} DESC LIMIT 3`,
      `MATCH (${a}:Person) WITH {${b}: ${a}.id} AS ${c} RETURN ${c}.${b} AS ${d}, ${c} AS ${e}`,
      `MATCH ${a} = (${b}:Person)-[:KNOWS]->(${c}) RETURN length(${a}) AS ${d}, ${c}.id AS ${e}, count(*) AS ${b}`,
      `MATCH (${a}:Person) CALL (${a}) { MATCH (${a})-->(${b}) RETURN count(${b}) AS ${c} } RETURN ${a}.id AS ${d}, ${c} AS ${e}`,
      `MATCH (${a}:Person) RETURN reduce(${b} = 0, ${c} IN [1, ${a}.id] | ${b} + ${c}) AS ${d}, any(${e} IN [1] WHERE ${e} = ${a}.id) AS ${a}`,
      `MATCH (${a}:Person) RETURN ${a} {.id, ${b}: 1} AS ${c}, ${a}.id AS ${d}`,
      `MATCH (${a}:Person {id: 1}) RETURN * `,
    ]);
  },
  'names that differ in case, or are keywords': (maker) => {
    const property = (): string => maker.choice.of(KEYWORD_PROPERTIES);
    const [one, two] = [property(), property()];
    return maker.choice.of([
      `MATCH (n:person) RETURN n.id AS c0, n.${one} AS c1, n.${two} AS c2`,
      `MATCH (n:person) WHERE n.${one} = 1 OR n.${one} = 'a' RETURN n.id AS c0, n.name AS c1, n.Name AS c2`,
      `MATCH (n:person)-[r:ORDER]->(m:Person) RETURN n.id AS c0, r.from AS c1, r.to AS c2, m.id AS c3`,
      `MATCH (n) WHERE n:person RETURN n AS c0`,
      `MATCH (n:Person|person) RETURN labels(n)[0] AS c0, n.id AS c1, n.name AS c2, n.${one} AS c3`,
      `MATCH (n:person) RETURN n.${one} AS \`${one}\`, count(*) AS \`${two} \``,
      `MATCH (n:person) RETURN n {.${one}, .${two}} AS c0`,
      `MATCH (n:person)-[r]->(m) WHERE r.from > 0 RETURN r AS c0, type(r) AS c1`,
      `MATCH (n:person)-[:ORDER]->(:Person)<-[:ORDER]-(m:person) RETURN n.id AS c0, m.${one} AS c1`,
    ]);
  },
  'keys beside computed values': (maker) => {
    const { choice, expressions } = maker;
    const label = choice.of(['Person', 'Person', 'Movie', 'Place', 'Account', 'Thing', 'person']);
    const node = maker.node(label);
    const { name } = lastNode(maker);
    const key = `${name}.${keyOf(label)}`;
    const texts = expressions.given('text', choice.of(['2', ' 3', '4.0', 'a', 'x', '']));
    const int = expressions.given('int', choice.of([0n, 1n, 2n, 9007199254740n, null]));
    const value = choice.of(
      label === 'Place' || label === 'Thing'
        ? ["left('ab', 1)", "trim(' a ')", "'a' + ''", "toLower('A')", `toString(${int})`, `${texts} + ''`, `coalesce(${texts}, 'b')`, "substring('éa', 0, 1)", "CASE WHEN true THEN 'a' END", `split('a-b', '-')[0]`, "head(['A', 'b'])", '1']
        : ['1 + 1', `${int} + 1`, `toInteger(${texts})`, `toInteger('3')`, `size('abc')`, '2.0', 'toFloat(2)', "'2'", `coalesce(${int}, 3)`, `abs(${int})`, '5 % 3', '7 / 2', `[1, 2, 3][${choice.below(4)}]`, `CASE WHEN ${int} = 1 THEN 2 ELSE 3 END`, '9007199254740992 + 1', 'head([4])', '-(-2)', '2 ^ 1', 'null', `reduce(s = 0, x IN [1, 2] | s + x)`, 'true'], // prettier-ignore
    );
    const map = node.replace(')', ` {${keyOf(label)}: ${value}})`);
    return choice.of([
      () => `MATCH ${map} ${maker.returnRows([key])}`,
      () => `MATCH ${node} WHERE ${key} = ${value} ${maker.returnAny()}`,
      () => `MATCH ${node} WHERE ${value} = ${key} AND ${maker.expressions.bool(0)} ${maker.returnRows([key])}`,
      () => `MATCH ${node} WHERE ${key} IN [${value}, ${value}, null] ${maker.returnRows([key])}`,
      () => `MATCH ${node} WHERE ${key} ${choice.of(['<', '>', '<=', '>=', '<>'])} ${value} ${maker.returnRows([key])}`,
      () => `OPTIONAL MATCH ${map} RETURN ${key} AS c0`,
      () => `WITH ${value} AS v MATCH ${node} WHERE ${key} = v RETURN ${key} AS c0, v AS c1`,
      () => `UNWIND [${value}, ${value}] AS v MATCH ${node.replace(')', ` {${keyOf(label)}: v})`)} RETURN ${key} AS c0`,
      () => `MATCH (m:Movie), ${node} WHERE ${key} = m.id + ${choice.below(2)} RETURN ${key} AS c0, m.id AS c1`,
      () => `MATCH ${map} OPTIONAL MATCH (${name})--(x) RETURN ${key} AS c0, count(x) AS c1`,
      () => `MATCH (m:Movie) WHERE EXISTS { MATCH ${map} } RETURN count(*) AS c0`,
    ])();
  },
};
