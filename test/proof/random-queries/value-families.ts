import { type Family, STEPS } from './family';

/** Families of queries about conditions, values and aggregates. */
export const valueFamilies: Readonly<Record<string, Family>> = {
  'lookups by a property': (maker) => {
    const label = maker.choice.of(['Person', 'Movie', 'Place']);
    return `MATCH ${maker.node(label, maker.property(label))}${maker.where(30)} ${maker.returnRows()}`;
  },
  'keys of text': (maker) => {
    const node = maker.node('Place');
    const name = maker.scope[0]?.name ?? '';
    const operator = maker.choice.of(['=', '<', '>', '<=', '>=', '<>', 'STARTS WITH', 'CONTAINS']);
    return `MATCH ${node} WHERE ${name}.code ${operator} ${maker.choice.percent(50) ? maker.expressions.literal('text') : maker.expressions.parameter('text')} RETURN ${name}.code, ${name}.size`;
  },
  'great integers': (maker) => {
    const node = maker.node('Person');
    const name = maker.scope[0]?.name ?? '';
    const literal = maker.expressions.literal('big');
    const test = maker.choice.of([
      `${name}.big IN [${literal}, 3]`,
      `${name}.big >= ${literal}`,
      `${name}.big = ${literal}`,
      `${name}.big < ${literal}`,
    ]);
    return `MATCH ${node} WHERE ${test} RETURN ${maker.choice.of([`${name}.big, ${name}.id`, `sum(${name}.big)`, `max(${name}.big), count(*)`])}`;
  },
  'comparisons with a value beyond all others': (maker) => {
    const match = maker.match(maker.choice.of([0, 1, 1]));
    const type = maker.choice.of(['int', 'float', 'text', 'date', 'moment', 'bool'] as const);
    const value = maker.expressions.value(type);
    const beyond = {
      ...{ int: ['1000', '-1000', '9e15'], float: ['1e300', '-7000'], text: ["'zz'", "''"], bool: ["'x'", '3'] },
      date: ["date('2999-01-01')", "date('0001-01-01')"],
      moment: ["localdatetime('2999-01-01T00:00')", "localdatetime('1000-05-05T10:00:00.5')"],
    }[type];
    const operator = maker.choice.of(['=', '<>', '<', '>=', '>', '<=']);
    const test = `(${value} ${operator} ${maker.choice.of(beyond)})`;
    return maker.choice.of([
      `${match} WHERE NOT ${test} ${maker.returnAny()}`,
      `${match} WHERE ${test} OR ${maker.expressions.bool(0)} ${maker.returnAny()}`,
      `${match} WHERE ${test} IS NULL ${maker.returnAny()}`,
      `${match} ${maker.returnRows([test, `NOT ${test}`, `${test} IS NULL`])}`,
    ]);
  },
  'groups with several aggregates': (maker) =>
    `${maker.match(maker.choice.of(STEPS))}${maker.where(40)} ${maker.returnGroups(1 + maker.choice.below(2))}`,
  'aggregates of everything': (maker) =>
    `${maker.match(maker.choice.of([0, 1, 2]))}${maker.where()} ${maker.returnGroups(0)}`,
  'an aggregate in an expression': (maker) => {
    const match = maker.match(maker.choice.of(STEPS));
    const key = maker.expressions.source('int');
    return `${match} RETURN ${key} AS c0, ${maker.choice.of([`count(*) + ${key}`, `sum(${maker.expressions.source('int')}) * 2`, `count(DISTINCT ${maker.expressions.source('text')}) + 1`])} AS c1`;
  },
  'the same aggregate twice': (maker) => {
    const match = maker.match(1);
    const key = maker.expressions.source('int');
    const aggregate = maker.choice.of([
      `count(${maker.expressions.source('int')})`,
      'count(*)',
      `sum(${maker.expressions.source('int')})`,
    ]);
    const outer = `${match} WITH ${key} AS k, ${aggregate} AS a`;
    return `${outer} WITH k % 2 AS k, a RETURN k AS c0, sum(a) AS c1, ${aggregate.startsWith('count(*') ? aggregate : 'count(a)'} AS c2`;
  },
  CASE: (maker) => {
    const match = maker.match(maker.choice.of([0, 1, 1]));
    const when = maker.choice.percent(50) ? maker.expressions.source('bool') : maker.expressions.bool(1);
    const type = maker.choice.of(['int', 'text'] as const);
    const value = `CASE WHEN ${when} THEN ${maker.expressions.value(type, 1)} ELSE ${maker.expressions.value(type, 1)} END`;
    return `${match} ${maker.returnRows([value, ...maker.columns(1)])}`;
  },
  'values of several types': (maker) => {
    const match = maker.match(maker.choice.of([0, 1]));
    const [one, two, three] = [0, 1, 2].map(() =>
      maker.choice.percent(20)
        ? maker.choice.of(['null', '[]', "toInteger('x')", 'toUpper(null)', '[1, 2][7]', "{a: 1}['b']", '-3', '0'])
        : maker.expressions.value(maker.choice.of(['int', 'float', 'text', 'bool', 'int', 'float']), 1),
    );
    const made = (): string =>
      maker.choice.of([
        `CASE WHEN ${maker.expressions.bool(1)} THEN ${one} ELSE ${two} END`,
        `CASE ${maker.expressions.operand('int')} WHEN 1 THEN ${one} WHEN 2 THEN ${two} ELSE ${three} END`,
        `coalesce(${one}, ${two})`,
        `[${one}, ${two}]`,
        `[${one}, ${two}, ${three}][${maker.choice.below(3)}]`,
        `collect(coalesce(${one}, ${two}))`,
        `sum(CASE WHEN ${maker.expressions.source('bool')} THEN 0 ELSE ${maker.expressions.source('float')} END)`,
        `{a: ${one}, b: coalesce(${two}, ${three})}`,
      ]);
    return maker.choice.percent(70)
      ? `${match} RETURN ${made()} AS c0, ${made()} AS c1`
      : `${match} WITH ${made()} AS x, count(*) AS y RETURN x, y, x IS NULL AS c`;
  },
  'quantifiers with null': (maker) => {
    const match = maker.match(maker.choice.of([0, 1]));
    return maker.choice.percent(50)
      ? `${match} WHERE ${maker.expressions.quantified()} ${maker.returnAny()}`
      : `${match} ${maker.returnRows([maker.expressions.quantified(), ...maker.columns(1)])}`;
  },
  'orders of two types in conditions of lists': (maker) => {
    const match = maker.match(maker.choice.of([0, 1]));
    const value = (): string => maker.expressions.value(maker.choice.of(['int', 'float', 'text', 'bool']), 1);
    const order = (): string =>
      `${maker.choice.percent(50) ? 'NOT ' : ''}x ${maker.choice.of(['<', '>=', '>', '<='])} ${value()}`;
    const made = maker.choice.of([
      `${maker.choice.of(['all', 'any', 'none', 'single'])}(x IN [${value()}, ${value()}] WHERE ${order()})`,
      `size([x IN [${value()}, ${value()}] WHERE ${order()} AND ${order()}])`,
    ]);
    return maker.choice.percent(50)
      ? `${match} ${maker.returnRows([made])}`
      : `${match} WITH *, ${value()} AS x WHERE ${order()} XOR ${maker.expressions.bool(1)} ${maker.returnAny()}`;
  },
  'positions of great integers': (maker) => {
    const match = `MATCH ${maker.node('Person')}`;
    const name = maker.scope[0]?.name ?? '';
    const position = (): string =>
      maker.choice.of([`${name}.big`, `-${name}.big`, `${name}.id * 4294967296`, `${name}.id`, '1']);
    const list = maker.choice.of([`${name}.tags`, `[${name}.id, ${name}.age, 7]`, 'range(0, 4)']);
    const at = maker.choice.of([position(), `${position()}..`, `..${position()}`, `${position()}..${position()}`]);
    const rows = maker.returnRows([`${list}[${at}]`, `toBoolean(${position()})`]);
    return `${match} ${rows}${maker.choice.percent(20) && !rows.includes(' LIMIT ') ? ' LIMIT 4294967296' : ''}`;
  },
  'conditions on parameters': (maker) => {
    const match = maker.match(maker.choice.of([0, 1]));
    const test = `${maker.expressions.parameter('int')} ${maker.choice.of(['=', '<', '>='])} ${maker.expressions.literal('int')}`;
    const all = `${test} ${maker.choice.of(['AND', 'OR'])} ${maker.expressions.bool(1)}`;
    const condition = maker.choice.of([test, all, `${maker.expressions.parameter('bool')} = true`]);
    const names = maker.scope.map(({ name }) => name).join(', ');
    return `${match}${maker.choice.percent(60) ? '' : ` WITH ${names}`} WHERE ${condition} ${maker.returnAny()}`;
  },
  'texts and null': (maker) => {
    const match = maker.match(maker.choice.of([0, 1]));
    const texts = [0, 1].map(() => maker.expressions.text(1));
    return `${match} WHERE ${maker.expressions.source('text')} ${maker.choice.of(['CONTAINS', 'STARTS WITH', 'ENDS WITH'])} ${maker.choice.of(["''", "'a'", maker.expressions.operand('text')])} ${maker.returnRows(texts)}`;
  },
  precedence: (maker) => {
    const match = maker.match(0);
    const int = (): string => maker.expressions.operand('int');
    const text = (): string => maker.expressions.operand('text');
    const made = (): string =>
      maker.choice.of([
        `${int()} + 1 IN [1, 2, 3]`,
        `${int()} + ${int()} IS NULL`,
        `${text()} + 'b' STARTS WITH 'a'`,
        `'x' + ${text()} CONTAINS ${text()}`,
        `2 ^ 3 ^ 2`,
        `-2 ^ 2`,
        `NOT ${int()} = 1 AND ${int()} < 2`,
        `${int()} < 2 OR ${int()} > 2 AND ${maker.expressions.source('bool')}`,
        `${int()} - ${int()} - 1`,
        `${int()} * 2 + ${int()} % 2`,
        `1 <= ${int()} < 3`,
        `${int()} = 1 XOR ${int()} = 2`,
      ]);
    return `${match} ${maker.returnRows([made(), made(), ...maker.columns(1)])}`;
  },
  lists: (maker) =>
    `${maker.match(maker.choice.of([0, 1]))} ${maker.returnRows([maker.expressions.list(1), ...maker.columns(1)])}`,
  'maps and entities': (maker) => {
    const match = maker.match(maker.choice.of([0, 1]));
    const { name } = maker.choice.of(maker.nodesInScope());
    const [int, text] = [maker.expressions.operand('int'), maker.expressions.operand('text')];
    const relationship = maker.scope.find(({ is }) => 'relationship' in is)?.name;
    const made = (): string =>
      maker.choice.of([
        `{a: ${int}, b: ${text}}.a`,
        `{a: ${int}, b: ${int}}['b']`,
        `{a: ${int}}.missing`,
        `labels(${name})[0]`,
        `${name}.missing`,
        `${name}:Person`,
        `exists(${name}.name)`,
        `size(keys({a: 1, b: ${int}}))`,
        `[${int}, null, 1]`,
        `{a: ${int}, b: null}`,
        relationship === undefined ? `labels(${name})` : `type(${relationship})`,
      ]);
    return `${match} ${maker.returnRows([made(), made()])}`;
  },
  'conditions with OR': (maker) => {
    const match = maker.match(1);
    const list = maker.expressions.quantified();
    return `${match} WHERE ${list} ${maker.choice.of(['OR', 'AND', 'XOR'])} ${maker.expressions.bool(1)} ${maker.returnAny()}`;
  },
  'functions of null': (maker) => {
    const match = maker.match(0);
    const [int, text, float] = [
      maker.expressions.source('int'),
      maker.expressions.source('text'),
      maker.expressions.source('float'),
    ];
    const made = (): string =>
      maker.choice.of([
        `toString(${int})`,
        `toString(${maker.expressions.source('bool')})`,
        `toInteger(${float})`,
        `toFloat(${int})`,
        `toBoolean(${text})`,
        `split(${text}, 'a')`,
        `size(${text})`,
        `left(${text}, 1)`,
        `right(${text}, 1)`,
        `coalesce(${text}, toString(${int}))`,
        `abs(${int})`,
        `sign(${int})`,
        `ceil(${float})`,
        `floor(${float})`,
        `round(${float})`,
        `round(${float}, 1)`,
        `round(${float} / 8, 2)`,
        `lTrim(${text})`,
        `[${int}][0]`,
        `head([${int}])`,
        `size([${int}])`,
        `${text} + ${int}`,
      ]);
    return `${match} ${maker.returnRows([made(), made(), made()])}`;
  },
  statistics: (maker) => {
    const match = maker.match(maker.choice.of([0, 1]));
    const [int, float] = [maker.expressions.source('int'), maker.expressions.source('float')];
    const made = (): string =>
      maker.choice.of([
        `percentileCont(${int}, 0.5)`,
        `percentileDisc(${int}, 0.5)`,
        `stDev(${maker.choice.of([int, float])})`,
        `avg(${float})`,
        `stDevP(${maker.choice.of([int, float])})`,
        `percentileDisc(${float}, 0.9)`,
      ]);
    const key = maker.choice.percent(40) ? `${maker.expressions.source('bool')} AS k, ` : '';
    return `${match} RETURN ${key}${made()} AS c0, ${made()} AS c1`;
  },
  literals: (maker) => {
    const made = (): string =>
      maker.choice.of([
        String.raw`'a\nb'`,
        String.raw`'it\'s'`,
        String.raw`'\u00e9'`,
        String.raw`size('\t')`,
        '0x1F',
        '0o17',
        '1e3',
        '.5',
        '-0.25',
        '"a" + \'b\'',
        '[1, [2, null]]',
        "{a: [1, null], b: {c: 'x'}}",
        '0.0 / 0.0 > 1',
        '0.0 / 0.0 = 0.0 / 0.0',
        '7 / 2',
        '-7 % 3',
        'null = null',
        '[1, null] = [1, null]',
        '[1, 2] < [1, 3]',
        "'a' < 'B'",
      ]);
    return maker.choice.percent(60)
      ? `RETURN ${made()} AS c0, ${made()} AS c1`
      : `${maker.match(0)} RETURN ${made()} AS c0, ${maker.expressions.value('int')} AS c1`;
  },
  'entities as results': (maker) => {
    const match = maker.match(maker.choice.of([1, 1, 2]));
    const names = maker.scope.map(({ name }) => name);
    const name = maker.choice.of(names);
    return `${match}${maker.where(40)} ${maker.choice.of([
      `RETURN DISTINCT ${name}`,
      `RETURN ${names.join(', ')}`,
      `RETURN collect(DISTINCT ${name}) AS c0`,
      `RETURN ${name}, count(*) AS c0`,
      `RETURN properties(${name}) AS c0`,
      `WITH ${name} AS x RETURN x`,
      'RETURN *',
    ])}`;
  },
  'names that the graph does not have': (maker) => {
    const name = maker.expressions.fresh('n');
    return maker.choice.of([
      `MATCH (${name}:Missing) RETURN count(*) AS c0`,
      `MATCH (${name}:Person) RETURN ${name}.missing AS c0, ${name}.id AS c1`,
      `MATCH (${name}:Person)-[:MISSING]->(m) RETURN ${name}.id AS c0`,
      `MATCH (${name}:Person) OPTIONAL MATCH (${name})-[:MISSING]->(m) RETURN ${name}.id AS c0, m AS c1`,
      `MATCH (${name}:Movie) WHERE ${name}.missing IS NULL RETURN count(*) AS c0`,
      `MATCH (${name}:Movie {missing: 1}) RETURN ${name}.id AS c0`,
      `MATCH (${name}:Person) WHERE ${name}:Missing RETURN ${name}.id AS c0`,
    ]);
  },
};
