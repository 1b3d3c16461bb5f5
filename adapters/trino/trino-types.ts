import { type Either, isLeft, left, right, traverseArray } from 'fp-ts/Either';
import { mapRight } from '../../domain/kernel/either';
import { type EngineColumn } from '../../domain/ports/query-engine';

/** The export of a column of Trino. */
export interface ExportedColumn {
  /** The Trino type in the file. */
  readonly type: string;
  /** The same type of DuckDB, for the empty file. */
  readonly duckdbType: string;
  /** SQL for the value, given SQL for the column. */
  readonly expression: (source: string) => string;
}

/** Trino's types, without parameters, that tables on S3 can contain, with DuckDB's types. */
const STORED: Readonly<Record<string, string>> = {
  boolean: 'BOOLEAN',
  integer: 'INTEGER',
  bigint: 'BIGINT',
  real: 'FLOAT',
  double: 'DOUBLE',
  varchar: 'VARCHAR',
  varbinary: 'BLOB',
  date: 'DATE',
};

/** Types that are exported as another one, by `CAST`. */
const CAST_TO: Readonly<Record<string, string>> = {
  // Iceberg has no shorter integers.
  tinyint: 'integer',
  smallint: 'integer',
  char: 'varchar',
  time: 'varchar',
  'time with time zone': 'varchar',
  'interval year to month': 'varchar',
  'interval day to second': 'varchar',
  uuid: 'varchar',
  ipaddress: 'varchar',
  number: 'double',
  unknown: 'varchar',
};

/** Types that a function converts to text; not within arrays, maps and rows. */
const BY_FUNCTION: Readonly<Record<string, (source: string) => string>> = {
  json: (source) => `json_format(${source})`,
  geometry: (source) => `ST_AsText(${source})`,
  sphericalgeography: (source) => `ST_AsText(to_geometry(${source}))`,
};

/** The export of a column. Left: its type is not supported by graphs, with a suggestion. */
export const exportedColumn = ({ name, type }: EngineColumn): Either<string, ExportedColumn> => {
  const text = type.toLowerCase();
  const byFunction = BY_FUNCTION[text];
  if (byFunction !== undefined) return right({ type: 'varchar', duckdbType: 'VARCHAR', expression: byFunction });
  if (/^timestamp\(\d+\) with time zone$/.test(text) && digitsOf(text) <= 6) {
    const expression = (source: string): string => `CAST(${source} AT TIME ZONE 'UTC' AS timestamp(6))`;
    return right({ type: 'timestamp(6)', duckdbType: 'TIMESTAMP', expression });
  }
  const stored = storedType(text);
  if (isLeft(stored)) return left(`column "${name}" has the type ${type}: ${stored.left}`);
  const target = stored.right;
  const isSame = target.type === text;
  return right({ ...target, expression: (source) => (isSame ? source : `CAST(${source} AS ${target.type})`) });
};

type Stored = Pick<ExportedColumn, 'type' | 'duckdbType'>;

const storedType = (type: string): Either<string, Stored> => {
  const name = /^[a-z ]+/.exec(type.replace(/\(\d+\)/, ''))?.[0]?.trim() ?? type;
  if (name.startsWith('timestamp') && digitsOf(type) > 6) {
    return left(`a graph has microseconds; write CAST(… AS ${type.replace(/\(\d+\)/, '(6)')})`);
  }
  if (name === 'timestamp') return right({ type: 'timestamp(6)', duckdbType: 'TIMESTAMP' });
  const [inner] = [type.slice(type.indexOf('(') + 1, -1)];
  if (name === 'decimal') return right({ type, duckdbType: `DECIMAL(${inner})` });
  if (name === 'array' || name === 'map') {
    return mapRight(traverseArray(storedType)(parts(inner)), (items) => {
      const [first = '', second = ''] = items.map(({ duckdbType }) => duckdbType);
      const trino = `${name}(${items.map((item) => item.type).join(', ')})`;
      return { type: trino, duckdbType: name === 'array' ? `${first}[]` : `MAP(${first}, ${second})` };
    });
  }
  if (name === 'row') return storedRow(inner);
  const target = CAST_TO[name] ?? type;
  const duckdbType = STORED[target.replace(/\(.*/, '')];
  return duckdbType === undefined
    ? left('a graph has no such type; CAST it to another, such as varchar, or omit it')
    : right({ type: target, duckdbType });
};

/** Fields without a name get one: tables have no anonymous fields. */
const storedRow = (inner: string): Either<string, Stored> => {
  const fields = parts(inner).map((field, index) => {
    const named = /^("(?:[^"]|"")*"|[a-z_]\w*) (.*)$/s.exec(field);
    const isNamed = named !== null && !/^(double|timestamp|time|interval)$/.test(named[1] ?? '');
    return isNamed ? { name: named[1] ?? '', type: named[2] ?? '' } : { name: `field${index}`, type: field };
  });
  return mapRight(traverseArray(({ type }: { readonly type: string }) => storedType(type))(fields), (items) => {
    const list = (key: keyof Stored): string =>
      items.map((item, index) => `${quoted(fields[index]?.name ?? '')} ${item[key]}`).join(', ');
    return { type: `row(${list('type')})`, duckdbType: `STRUCT(${list('duckdbType')})` };
  });
};

const quoted = (name: string): string => (name.startsWith('"') ? name : `"${name}"`);

const digitsOf = (type: string): number => Number(/\((\d+)\)/.exec(type)?.[1] ?? 3);

/** Splits at commas outside of parentheses and quotes. */
const parts = (text: string): readonly string[] => {
  const found: string[] = [];
  let [depth, start, isQuoted] = [0, 0, false];
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === '"') isQuoted = !isQuoted;
    if (isQuoted) continue;
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (character !== ',' || depth > 0) continue;
    found.push(text.slice(start, index).trim());
    start = index + 1;
  }
  return [...found, text.slice(start).trim()];
};

/**
 * The text of a page with whole numbers of 16 digits or more as strings, because `JSON.parse` rounds those beyond 2^53.
 */
export const exactNumbers = (json: string): string =>
  json.replaceAll(/"(?:[^"\\]|\\.)*"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g, (found) =>
    found.startsWith('"') ? found : `"${found}"`,
  );

const FLOATS = /^(double|real)$/;

/**
 * Reads rows of these types: BIGINT becomes a bigint, DOUBLE and REAL numbers (NaN and Infinity arrive as texts). DECIMAL,
 * dates and times stay the exact texts that Trino sends; nested values stay as they arrive.
 */
export const valueReader =
  (types: readonly string[]) =>
  (row: readonly unknown[]): readonly unknown[] =>
    row.map((value, index) => {
      const type = types[index] ?? '';
      if (type === 'bigint' && (typeof value === 'number' || typeof value === 'string')) return BigInt(value);
      if (FLOATS.test(type) && typeof value === 'string') return Number(value);
      return value;
    });
