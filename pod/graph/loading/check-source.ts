import { tableOf, type DuckdbSession } from '../duckdb/duckdb-session';
import { type EdgeSource, type NodeSource, type SourceTable } from './source-table';
import { type StoredColumn } from './stored-column';

/** What one pass over the rows of a definition found. */
export interface CheckedTable {
  readonly rowCount: number;
  /** One sentence per kind of defect, with count and sample keys. */
  readonly defects: readonly string[];
  /** Names of the TIMESTAMP columns in which no value has digits below the millisecond. */
  readonly wholeMilliseconds: ReadonlySet<string>;
}

export interface CheckedEdges extends CheckedTable {
  /** An edge leads from a node to itself. */
  readonly hasLoops: boolean;
}

/** What an engine can keep; everything else is a defect. */
export interface StorableValues {
  readonly storesNaNOnEdges: boolean;
  readonly storesZeroCharacters: boolean;
}

const MAX_SAMPLES = 5;

/** Finds null keys, repeated keys and values that do not fit. */
export const checkNodes = async (
  session: DuckdbSession,
  source: NodeSource,
  storable: StorableValues,
): Promise<CheckedTable> => {
  const { key, rows } = source;
  const seen = await scan(session, source, [key], `count(${key.expression}) - count(DISTINCT ${key.expression})`);
  const repeated = await complain(session, source, seen.extra, {
    words: 'repeat the key of another row',
    name: key.name,
    values: `SELECT v FROM (SELECT ${key.expression} AS v FROM ${rows}) WHERE v IS NOT NULL GROUP BY v HAVING count(*) > 1`,
  });
  const zeros = storable.storesZeroCharacters ? [] : await findZeroCharacters(session, source, key);
  return { ...seen, defects: [...seen.defects, ...repeated, ...zeros] };
};

/** Finds null ends, ends without a node, values that do not fit and those the engine cannot keep. */
export const checkEdges = async (
  session: DuckdbSession,
  source: EdgeSource,
  nodes: { readonly from: NodeSource; readonly to: NodeSource },
  { storesNaNOnEdges, storesZeroCharacters }: StorableValues,
): Promise<CheckedEdges> => {
  const { rows, from, to } = source;
  const loops = nodes.from === nodes.to ? `count(*) FILTER (WHERE ${from.expression} = ${to.expression})` : '0';
  const seen = await scan(session, source, [from, to], loops);
  const defects = [...seen.defects];
  for (const [end, target] of [[from, nodes.from] as const, [to, nodes.to] as const]) {
    const values =
      `SELECT e.v FROM (SELECT ${end.expression} AS v FROM ${rows}) AS e ` +
      `ANTI JOIN ${keyTable(target)} AS n ON n.key = e.v WHERE e.v IS NOT NULL`;
    const words = `point to ${target.definition.label} nodes that do not exist`;
    defects.push(...(await findRows(session, source, { words, name: end.name, values })));
  }
  for (const column of storesNaNOnEdges ? [] : source.columns.filter(isFloating)) {
    const values = `SELECT ${from.expression} AS v FROM ${rows} WHERE isnan(${column.expression})`;
    const words = `have NaN in ${column.name}, which this graph database cannot keep on edges (export NULL instead)`;
    defects.push(...(await findRows(session, source, { words, name: from.name, values })));
  }
  if (!storesZeroCharacters) defects.push(...(await findZeroCharacters(session, source, from)));
  return { ...seen, defects, hasLoops: seen.extra > 0 };
};

/** Text that an engine which ends text at U+0000 would cut short. */
const findZeroCharacters = async (
  session: DuckdbSession,
  source: SourceTable,
  key: StoredColumn,
): Promise<readonly string[]> => {
  const defects: string[] = [];
  for (const { name, type, expression } of source.columns) {
    const item = type.kind === 'list' ? type.item : type;
    if (item.kind !== 'scalar' || item.name !== 'STRING') continue;
    const whole = type.kind === 'list' ? `array_to_string(${expression}, '')` : expression;
    const values = `SELECT ${key.expression} AS v FROM ${source.rows} WHERE contains(${whole}, chr(0))`;
    const words = `have the character U+0000 in ${name}, which this graph database cannot keep in text`;
    defects.push(...(await findRows(session, source, { words, name: key.name, values })));
  }
  return defects;
};

/** The keys of a node definition as a table, made once for all edges. */
export const createKeyTable = (session: DuckdbSession, source: NodeSource): Promise<void> =>
  session.run(`CREATE TEMP TABLE ${keyTable(source)} AS SELECT ${source.key.expression} AS key FROM ${source.rows}`);

export const keyTable = (source: NodeSource): string => tableOf('keys', source.definition.label);

/** Counts rows, null keys and misfits in one pass, and samples only what is wrong. */
const scan = async (
  session: DuckdbSession,
  source: SourceTable,
  keys: readonly StoredColumn[],
  extra: string,
): Promise<CheckedTable & { readonly extra: number }> => {
  const { columns } = source;
  const timestamps = columns.filter(({ type }) => type.kind === 'scalar' && type.name === 'TIMESTAMP');
  const counts = [
    'count(*)',
    extra,
    ...keys.map((key) => `count(*) - count(${key.source})`),
    ...columns.map(({ misfit }) => (misfit === null ? '0' : `count(*) FILTER (WHERE ${misfit})`)),
    ...timestamps.map(({ expression }) => `count(*) FILTER (WHERE epoch_us(${expression}) % 1000 <> 0)`),
  ];
  const [row] = await session.rows(
    `SELECT ${counts.map((count, at) => `${count} AS c${at}`).join(', ')} FROM ${source.rows}`,
  );
  const numbers = counts.map((_, at) => Number(row?.[`c${at}`] ?? 0));
  const [rowCount = 0, extraCount = 0] = numbers;
  const nullCounts = numbers.slice(2, 2 + keys.length);
  const misfitCounts = numbers.slice(2 + keys.length, 2 + keys.length + columns.length);
  const fineCounts = numbers.slice(2 + keys.length + columns.length);

  const defects: string[] = [];
  for (const [at, key] of keys.entries()) {
    const count = nullCounts[at] ?? 0;
    if (count > 0) defects.push(`${source.title}: ${rowsThat(count, `have no ${key.name} (null)`)}`);
  }
  for (const [at, { name, misfit, declaredType, source: value }] of columns.entries()) {
    const words = `have a ${name} that does not fit ${declaredType} exactly`;
    const values = `SELECT ${value} AS v FROM ${source.rows} WHERE ${misfit ?? 'false'}`;
    defects.push(...(await complain(session, source, misfitCounts[at] ?? 0, { words, name, values })));
  }
  const whole = timestamps.filter((_, at) => fineCounts[at] === 0).map(({ name }) => name);
  return { rowCount, extra: extraCount, defects, wholeMilliseconds: new Set(whole) };
};

interface Complaint {
  /** Begins with a verb in the plural. */
  readonly words: string;
  /** The column the sample values are of. */
  readonly name: string;
  /** DuckDB SQL for the values in question, in a column `v`. */
  readonly values: string;
}

/** Nothing when the count is 0, otherwise one sentence with up to five sample values. */
const complain = async (
  session: DuckdbSession,
  source: SourceTable,
  count: number,
  { words, name, values }: Complaint,
): Promise<readonly string[]> => {
  if (count === 0) return [];
  const samples = await session.rows(
    `SELECT DISTINCT CAST(v AS VARCHAR) AS v FROM (${values}) ORDER BY v LIMIT ${MAX_SAMPLES + 1}`,
  );
  const shown = samples.slice(0, MAX_SAMPLES).map(({ v }) => `'${String(v)}'`);
  const more = samples.length > MAX_SAMPLES ? ', …' : '';
  return [`${source.title}: ${rowsThat(count, words)} (${name} = ${shown.join(', ')}${more})`];
};

/** Complains about the rows the values are of, if there are any. */
const findRows = async (
  session: DuckdbSession,
  source: SourceTable,
  complaint: Complaint,
): Promise<readonly string[]> => {
  const [row] = await session.rows(`SELECT count(*) AS c FROM (${complaint.values})`);
  return complain(session, source, Number(row?.['c'] ?? 0), complaint);
};

const isFloating = ({ type }: StoredColumn): boolean =>
  type.kind === 'scalar' && (type.name === 'DOUBLE' || type.name === 'FLOAT');

/** `3 rows point to …`, `1 row points to …`. */
const rowsThat = (count: number, words: string): string => {
  if (count !== 1) return `${count} rows ${words}`;
  const [verb = '', ...rest] = words.split(' ');
  return ['1 row', verb === 'have' ? 'has' : `${verb}s`, ...rest].join(' ');
};
