/** Queries that DuckDB and Trino both read, with columns of the same names and types, so that they can be joined by UNION ALL. */
export const generateQueries = (seed: number, count: number): readonly string[] => {
  const choice = chooser(seed);
  return Array.from({ length: count }, () => query(choice));
};

/** The columns of every query. */
export const COLUMNS = ['k', 'a', 'b', 'c', 'd', 'e', 'f', 'g'] as const;

type Choice = <A>(items: readonly A[]) => A;
type Type = 'whole' | 'float' | 'text' | 'decimal' | 'day' | 'time' | 'truth';

const chooser = (seed: number): Choice => {
  let state = (seed % 2_147_483_646) + 1;
  return (items) => {
    state = (state * 48_271) % 2_147_483_647;
    const item = items[state % items.length];
    if (item === undefined) throw new Error('There is nothing to choose from.');
    return item;
  };
};

const FIELDS: Readonly<Record<Type, readonly string[]>> = {
  whole: ['id', 'n'],
  float: ['x'],
  text: ['s'],
  decimal: ['m'],
  day: ['day'],
  time: ['at'],
  truth: ['ok'],
};
const LITERALS: Readonly<Record<Type, readonly string[]>> = {
  whole: ['CAST(0 AS bigint)', 'CAST(-7 AS bigint)', 'CAST(9007199254740993 AS bigint)'],
  float: ['CAST(0.1 AS double)', 'CAST(-2.5 AS double)'],
  text: ["''", "'ä'", "'o''b_%'"],
  decimal: ['CAST(0.01 AS decimal(12,2))', 'CAST(-99.99 AS decimal(12,2))'],
  day: ["DATE '2020-02-29'", "DATE '1969-12-31'"],
  time: ["TIMESTAMP '1999-12-31 23:59:59.999999'"],
  truth: ['true', 'false'],
};

/** An expression of a type over the columns of a table alias. */
const expression = (choice: Choice, of: Type, from: string, depth: number): string => {
  if (depth <= 0) return choice([true, true, false]) ? `${from}.${choice(FIELDS[of])}` : choice(LITERALS[of]);
  const e = (type: Type): string => expression(choice, type, from, depth - 1);
  const own = choice(OPERATIONS[of])(e, choice);
  return choice([
    () => own,
    () => own,
    () => `coalesce(${e(of)}, ${e(of)})`,
    () => `CASE WHEN ${e('truth')} THEN ${e(of)} ELSE ${e(of)} END`,
    () => `nullif(${e(of)}, ${e(of)})`,
  ])();
};

type Operation = (e: (type: Type) => string, choice: Choice) => string;
const compared: Operation = (e, choice) => {
  const type = choice<Type>(['whole', 'float', 'text', 'decimal', 'day', 'time']);
  return `(${e(type)} ${choice(['=', '<>', '<', '<=', '>', '>='])} ${e(type)})`;
};

const OPERATIONS: Readonly<Record<Type, readonly Operation[]>> = {
  whole: [
    (e, choice) => `(${e('whole')} ${choice(['+', '-'])} ${e('whole')})`,
    (e) => `(${e('whole')} % 1000 * 3)`,
    (e) => `abs(${e('whole')})`,
    (e) => `CAST(length(${e('text')}) AS bigint)`,
    (e) => `CAST(extract(year FROM ${e('day')}) AS bigint)`,
    (e) => `CAST(strpos(${e('text')}, 'a') AS bigint)`,
    (e) => `CAST(date_diff('day', DATE '2000-01-01', ${e('day')}) AS bigint)`,
  ],
  float: [
    (e, choice) => `(${e('float')} ${choice(['+', '-', '*'])} ${e('float')})`,
    (e) => `CAST(${e('whole')} % 1000 AS double)`,
    (e) => `CAST(${e('decimal')} AS double)`,
    (e) => `sqrt(abs(${e('float')}))`,
    (e) => `floor(${e('float')})`,
  ],
  text: [
    (e, choice) => `${choice(['upper', 'lower', 'trim', 'reverse'])}(${e('text')})`,
    (e) => `(${e('text')} || ${e('text')})`,
    (e, choice) => `substr(${e('text')}, ${choice([1, 2, 5])}, ${choice([0, 1, 3])})`,
    (e) => `replace(${e('text')}, 'a', 'ß')`,
    (e, choice) => `CAST(${e(choice(['whole', 'day', 'truth', 'decimal']))} AS varchar)`,
  ],
  decimal: [
    (e, choice) =>
      `CAST(CAST(${e('decimal')} AS decimal(10,2)) ${choice(['+', '-'])} CAST(${e('decimal')} AS decimal(10,2)) AS decimal(12,2))`,
    (e) => `abs(${e('decimal')})`,
    (e) => `(-${e('decimal')})`,
    (e) => `CAST(${e('whole')} % 1000 AS decimal(12,2))`,
  ],
  day: [
    (e) => `CAST(${e('time')} AS date)`,
    (e, choice) => `CAST(date_trunc('${choice(['month', 'year', 'week', 'quarter'])}', ${e('day')}) AS date)`,
    (e, choice) => `CAST(${e('day')} + INTERVAL '${choice([1, 40])}' ${choice(['DAY', 'MONTH'])} AS date)`,
  ],
  time: [
    (e) => `CAST(${e('day')} AS timestamp(6))`,
    (e, choice) => `CAST(date_trunc('${choice(['hour', 'minute', 'day'])}', ${e('time')}) AS timestamp(6))`,
    (e, choice) =>
      `CAST(${e('time')} + INTERVAL '${choice([1, 90])}' ${choice(['HOUR', 'SECOND', 'DAY'])} AS timestamp(6))`,
  ],
  truth: [
    compared,
    compared,
    (e, choice) => `(${e('truth')} ${choice(['AND', 'OR'])} ${e('truth')})`,
    (e) => `(NOT ${e('truth')})`,
    (e, choice) => `(${e(choice(['whole', 'text', 'day', 'float']))} IS ${choice(['', 'NOT '])}NULL)`,
    (e, choice) => `(${e('text')} LIKE ${choice(["'%a%'", "'_b%'", "'ä%'"])})`,
    (e) => `(${e('whole')} BETWEEN ${e('whole')} AND ${e('whole')})`,
    // Literals only: Trino 476 answers `'q' IN (s, nullif(s, 'q'))` with true for every s.
    (e) => `(${e('text')} IN ('', 'aaa', 'o''b'))`,
  ],
};

const TYPES: readonly Type[] = ['whole', 'float', 'text', 'decimal', 'day', 'time', 'truth'];

/** Casts give every query the same types. */
const SQL_TYPE: Readonly<Record<Type, string>> = {
  ...{ whole: 'bigint', float: 'double', text: 'varchar', decimal: 'decimal(12,2)', day: 'date' },
  ...{ time: 'timestamp(6)', truth: 'boolean' },
};
const columns = (key: string, values: readonly string[]): string =>
  [key, ...values].map((value, at) => `CAST(${value} AS ${at === 0 ? 'bigint' : SQL_TYPE[TYPES[at - 1] ?? 'whole']}) AS ${COLUMNS[at] ?? ''}`).join(', '); // prettier-ignore

const query = (choice: Choice): string => {
  const all = (from: string): readonly string[] =>
    TYPES.map((type) => expression(choice, type, from, choice([1, 2, 3])));
  const where = (from: string): string => expression(choice, 'truth', from, 2);
  const table = 'lake.main.things';
  const most = (from: string): readonly string[] =>
    TYPES.map((type) => {
      const value = expression(choice, type, from, 1);
      return type === 'truth' ? `bool_or(${value})` : `${choice(['min', 'max'])}(${value})`;
    });
  return choice([
    () => `SELECT ${columns('t.id', all('t'))} FROM ${table} t WHERE ${where('t')}`,
    () => `SELECT ${columns('t.id', all('u'))} FROM ${table} t ${choice(['JOIN', 'LEFT JOIN'])} ${table} u ON t.id = u.id + 7 WHERE ${where('t')}`, // prettier-ignore
    () => `SELECT ${columns('count(*)', most('t'))} FROM ${table} t WHERE ${where('t')} GROUP BY t.id % 5`,
    () => `SELECT ${columns('sum(t.id)', most('t'))} FROM ${table} t GROUP BY ${where('t')} HAVING count(*) > 3`,
    () => `SELECT DISTINCT ${columns('t.id % 3', all('t'))} FROM ${table} t WHERE ${where('t')}`,
    () => `SELECT ${columns('row_number() OVER (ORDER BY t.id)', all('t'))} FROM ${table} t WHERE t.id IN (SELECT u.id % 50 FROM ${table} u WHERE ${where('u')})`, // prettier-ignore
  ])();
};
