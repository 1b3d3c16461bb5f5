import {
  type Condition,
  isAggregate,
  type Match,
  type Part,
  type PathPattern,
  type PatternQuery,
  type StepPattern,
  type Value,
} from './pattern-query';

/**
 * The query over the tables `nodes(id, label)` and `edges(type, src, dst, w)`, for DuckDB; `walks`: an edge may occur
 * several times in one MATCH.
 */
export const sqlText = ({ branches, unionAll }: PatternQuery, walks: boolean): string =>
  branches.map((parts) => `(${branchText(parts, walks)})`).join(unionAll ? ' UNION ALL ' : ' UNION ');

/** Each MATCH and each projection selects from what is before it. */
const branchText = (parts: readonly Part[], walks: boolean): string => {
  let before = 'SELECT 1 AS one';
  let names: readonly string[] = [];
  for (const { matches, projection } of parts) {
    for (const match of matches) {
      before = matchText(match, before, names, walks);
      names = [...new Set([...names, ...namesOf(match)])];
    }
    const items = projection.items.map(({ value, alias }) => `${valueText(value)} AS ${alias}`);
    const grouped = projection.items.some(({ value }) => isAggregate(value));
    const group = projection.items.flatMap(({ value }, index) => (grouped && !isAggregate(value) ? [index + 1] : []));
    const order = projection.limit === null ? '' : ` ORDER BY ALL LIMIT ${projection.limit}`;
    before = `SELECT ${projection.distinct ? 'DISTINCT ' : ''}${items.join(', ')} FROM (${before}) AS t${group.length === 0 ? '' : ` GROUP BY ${group.join(', ')}`}${order}`;
    names = projection.items.map(({ alias }) => alias);
  }
  return before;
};

const namesOf = ({ paths }: Match): readonly string[] => [
  ...new Set(
    paths.flatMap(({ name, from, steps }) => [name, from.name, ...steps.flatMap((step) => [step.name, step.to.name])]),
  ),
];

const matchText = (match: Match, before: string, known: readonly string[], walks: boolean): string => {
  const made = namesOf(match);
  const equal = made.filter((name) => known.includes(name)).map((name) => `t.${name} = m.${name}`);
  const added = made.filter((name) => !known.includes(name)).map((name) => `m.${name}`);
  const column = (name: string): string => (made.includes(name) ? `m.${name}` : `t.${name}`);
  const conditions = match.conditions.map((condition) => conditionText(condition, column, [...known, ...made], walks));
  const where = conditions.length === 0 ? [] : [`(${conditions.join(` ${match.joinedBy} `)})`];
  const on = [...equal, ...where, 'true'].join(' AND ');
  const found = `SELECT ${['t.*', ...added].join(', ')} FROM t JOIN (${pathsText(match.paths, walks)}) AS m ON ${on}`;
  if (!match.optional) return `WITH t AS (${before}) ${found}`;
  // DuckDB does not support outer joins on conditions with subqueries.
  return (
    `WITH t AS MATERIALIZED (SELECT *, row_number() OVER () AS row_id FROM (${before})), i AS MATERIALIZED (${found}) ` +
    'SELECT * EXCLUDE row_id FROM i UNION ALL BY NAME ' +
    'SELECT * EXCLUDE row_id FROM t WHERE row_id NOT IN (SELECT row_id FROM i)'
  );
};

/** The paths of one MATCH, one column for each name. */
const pathsText = (paths: readonly PathPattern[], walks: boolean): string => {
  const tables: string[] = [];
  const conditions: string[] = [];
  const columns = new Map<string, string>();
  const bind = (name: string, column: string): void => {
    const bound = columns.get(name);
    if (bound === undefined) columns.set(name, column);
    else conditions.push(`${bound} = ${column}`);
  };
  const node = ({ name, label, id }: PathPattern['from']): string => {
    const table = `n${tables.length}`;
    tables.push(`nodes AS ${table}`);
    if (label !== null) conditions.push(`${table}.label = '${label}'`);
    if (id !== null) conditions.push(`${table}.id = ${id}`);
    bind(name, `${table}.id`);
    return `${table}.id`;
  };
  for (const { name, from, steps } of paths) {
    let at = node(from);
    const lengths = ['0'];
    for (const step of steps) {
      const table = `e${tables.length}`;
      const others = tables
        .filter((other) => / AS e\d+$/.test(other))
        .map((other) => other.slice(other.lastIndexOf(' ') + 1));
      if (!walks) conditions.push(...others.map((other) => `${other}.bits & ${table}.bits = 0`));
      tables.push(`(${waysText(step, walks)}) AS ${table}`);
      conditions.push(`${table}.src = ${at}`);
      bind(step.name, `${table}.w`);
      lengths.push(`${table}.steps`);
      at = node(step.to);
      conditions.push(`${table}.dst = ${at}`);
    }
    columns.set(name, lengths.join(' + '));
  }
  const selected = [...columns].map(([name, column]) => `${column} AS ${name}`);
  return `SELECT ${selected.join(', ')} FROM ${tables.join(', ')}${conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`}`;
};

/**
 * The matches of a step with columns `src`, `dst`, `w`, `steps` and `bits`, one for the weight of each of its edges.
 */
const waysText = (step: StepPattern, walks: boolean): string => {
  if (step.length === null) return edgesText(step);
  const [least, most] = step.length;
  const lengths = Array.from({ length: most - least + 1 }, (_, index) => least + index);
  return lengths.map((length) => waysOfLength(step, length, walks)).join(' UNION ALL ');
};

const waysOfLength = (step: StepPattern, length: number, walks: boolean): string => {
  if (length === 0) return 'SELECT id AS src, id AS dst, NULL AS w, 0 AS steps, 0::BIGINT AS bits FROM nodes';
  const tables = Array.from({ length }, (_, index) => `(${edgesText(step)}) AS s${index}`);
  const joined = tables.slice(1).map((_, index) => `s${index}.dst = s${index + 1}.src`);
  const bits = tables.map((_, index) => `s${index}.bits`).join(' | ');
  if (!walks) joined.push(`bit_count(${bits}) = ${length}`);
  const where = joined.length === 0 ? '' : ` WHERE ${joined.join(' AND ')}`;
  return `SELECT s0.src, s${length - 1}.dst, NULL AS w, ${length} AS steps, ${bits} AS bits FROM ${tables.join(', ')}${where}`;
};

const edgesText = ({ types, direction, weight }: StepPattern): string => {
  const conditions = [
    ...(types.length === 0 ? [] : [`type IN (${types.map((type) => `'${type}'`).join(', ')})`]),
    ...(weight === null ? [] : [`w = ${weight}`]),
  ];
  const select = (ends: string, ...more: readonly string[]): string => {
    const all = [...conditions, ...more];
    return `SELECT ${ends}, w, 1 AS steps, 1::BIGINT << w AS bits FROM edges${all.length === 0 ? '' : ` WHERE ${all.join(' AND ')}`}`;
  };
  if (direction === 'out') return select('src, dst');
  if (direction === 'in') return select('dst AS src, src AS dst');
  return `${select('src, dst')} UNION ALL ${select('dst AS src, src AS dst', 'src <> dst')}`;
};

const conditionText = (
  condition: Condition,
  column: (name: string) => string,
  known: readonly string[],
  walks: boolean,
): string => {
  if (condition.kind === 'compare') {
    const { left, operator, right } = condition;
    return `${column(left)} ${operator} ${typeof right === 'number' ? right : column(right)}`;
  }
  const { to } = condition.step;
  const ends = [
    `s.src = ${column(condition.from)}`,
    ...(known.includes(to.name) ? [`s.dst = ${column(to.name)}`] : []),
    ...(to.label === null ? [] : [`s.dst IN (SELECT id FROM nodes WHERE label = '${to.label}')`]),
  ];
  return `${condition.negated ? 'NOT ' : ''}EXISTS (SELECT 1 FROM (${waysText(condition.step, walks)}) AS s WHERE ${ends.join(' AND ')})`;
};

const valueText = (value: Value): string => {
  if (value.kind === 'count(*)') return 'count(*)';
  if (value.kind !== 'aggregate') return value.name;
  const text = `${value.function}(${value.distinct ? 'DISTINCT ' : ''}${value.of.name})`;
  return value.function === 'sum' ? `coalesce(${text}, 0)` : text;
};
