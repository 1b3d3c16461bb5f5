import { type DuckdbSession, tableOf } from '../duckdb/duckdb-session';
import { type SpecialValue } from '../engine/graph-schema';
import { type Defect } from './defect';
import { type EdgeSource, type NodeSource, type SourceTable } from './source-table';
import { specialKeysIn, specialValuesIn, type StorableValues, type Unstorable, unstorableIn } from './special-values';
import { type StoredColumn } from './stored-column';

/** The result of one pass over the rows of a definition. */
export interface CheckedTable {
  readonly rowCount: number;
  readonly defects: readonly Defect[];
  /** Names of the TIMESTAMP columns in which no value has digits below the millisecond. */
  readonly wholeMilliseconds: ReadonlySet<string>;
  /** The special values per column. */
  readonly specialValues: readonly { readonly name: string; readonly value: SpecialValue }[];
}

export interface CheckedEdges extends CheckedTable {
  /** An edge leads from a node to itself. */
  readonly hasLoops: boolean;
}

const MAX_SAMPLES = 5;

/** Finds null keys, repeated keys and values that do not fit. */
export const checkNodes = async (
  session: DuckdbSession,
  source: NodeSource,
  storable: StorableValues,
): Promise<CheckedTable> => {
  const { key, rows } = source;
  const repeats = `count(${key.expression}) - count(DISTINCT ${key.expression})`;
  const seen = await scan(session, source, [key], repeats, findings(source, key, storable));
  const repeated = await describeDefect(session, source, seen.extra, {
    kind: 'repeated_key',
    words: 'repeat the key of another row',
    name: key.name,
    values: `SELECT v FROM (SELECT ${key.expression} AS v FROM ${rows}) WHERE v IS NOT NULL GROUP BY v HAVING count(*) > 1`,
  });
  return { ...seen, defects: [...seen.defects, ...repeated] };
};

/** Finds null ends, ends without a node, and values that do not fit or that the engine cannot store. */
export const checkEdges = async (
  session: DuckdbSession,
  source: EdgeSource,
  nodes: { readonly from: NodeSource; readonly to: NodeSource },
  storable: StorableValues,
): Promise<CheckedEdges> => {
  const { rows, from, to } = source;
  const loops = nodes.from === nodes.to ? `count(*) FILTER (WHERE ${from.expression} = ${to.expression})` : '0';
  const seen = await scan(session, source, [from, to], loops, findings(source, from, storable));
  const defects = [...seen.defects];
  // One join is several times faster than searching each end, and keys that repeat are a defect of their nodes.
  const both = `JOIN ${keyTable(nodes.from)} AS a ON a.key = e.f JOIN ${keyTable(nodes.to)} AS b ON b.key = e.t`;
  const ends = `SELECT ${from.expression} AS f, ${to.expression} AS t FROM ${rows}`;
  const [joined] = await session.rows(`SELECT count(*) AS c FROM (${ends}) AS e ${both}`);
  if (Number(joined?.['c']) === seen.rowCount) return { ...seen, hasLoops: seen.extra > 0 };
  for (const [end, target] of [[from, nodes.from] as const, [to, nodes.to] as const]) {
    const values =
      `SELECT e.v FROM (SELECT ${end.expression} AS v FROM ${rows}) AS e ` +
      `ANTI JOIN ${keyTable(target)} AS n ON n.key = e.v WHERE e.v IS NOT NULL`;
    const words = `point to ${target.definition.label} nodes that do not exist`;
    defects.push(...(await findRows(session, source, { kind: 'missing_node', words, name: end.name, values })));
  }
  return { ...seen, defects, hasLoops: seen.extra > 0 };
};

/** The keys of a node definition as a table, made once for all edges. */
export const createKeyTable = (session: DuckdbSession, source: NodeSource): Promise<void> =>
  session.run(`CREATE TEMP TABLE ${keyTable(source)} AS SELECT ${source.key.expression} AS key FROM ${source.rows}`);

export const keyTable = (source: NodeSource): string => tableOf('keys', source.definition.label);

/** Invalid rows by the value of one column. */
interface Finding extends Unstorable {
  readonly kind: 'misfit' | 'unstorable';
  /** The column whose values identify the rows, and its SQL. */
  readonly name: string;
  readonly value: string;
}

/** The possible defects of the values of a source. `key` identifies rows with values that the engine cannot store. */
const findings = ({ columns }: SourceTable, key: StoredColumn, storable: StorableValues): readonly Finding[] => [
  ...columns.flatMap(({ name, misfit, declaredType, source: value }) =>
    misfit === null
      ? []
      : [
          {
            kind: 'misfit' as const,
            condition: misfit,
            words: `have a ${name} that does not fit ${declaredType} exactly`,
            name,
            value,
          },
        ],
  ),
  ...columns
    .flatMap((column) => unstorableIn(column, storable))
    .map((unstorable) => ({ ...unstorable, kind: 'unstorable' as const, name: key.name, value: key.expression })),
];

/** Counts rows, null keys and defects in one pass, and samples only defects. */
const scan = async (
  session: DuckdbSession,
  source: SourceTable,
  keys: readonly StoredColumn[],
  extra: string,
  found: readonly Finding[],
): Promise<CheckedTable & { readonly extra: number }> => {
  const { columns, rows } = source;
  const timestamps = columns.filter(({ type }) => type.kind === 'scalar' && type.name === 'TIMESTAMP');
  // An edge has the keys of two nodes.
  const specials = [...columns.flatMap(specialValuesIn), ...(keys.length === 1 ? keys.flatMap(specialKeysIn) : [])];
  const rowsWith = (condition: string): string => `count(*) FILTER (WHERE ${condition})`;
  const counts = [
    'count(*)',
    extra,
    ...keys.map((key) => `count(*) - count(${key.source})`),
    ...found.map(({ condition }) => rowsWith(condition)),
    ...timestamps.map(({ expression }) => rowsWith(`epoch_us(${expression}) % 1000 <> 0`)),
    ...specials.map(({ existsSql }) => existsSql),
  ];
  const [row] = await session.rows(`SELECT ${counts.map((count, at) => `${count} AS c${at}`).join(', ')} FROM ${rows}`);
  const numbers = counts.map((_, at) => Number(row?.[`c${at}`] ?? 0));
  const [rowCount = 0, extraCount = 0] = numbers.splice(0, 2);
  const nullCounts = numbers.splice(0, keys.length);
  const foundCounts = numbers.splice(0, found.length);
  const fineCounts = numbers.splice(0, timestamps.length);

  const defects: Defect[] = [];
  for (const [at, key] of keys.entries()) {
    const count = nullCounts[at] ?? 0;
    const what = `${source.title}: ${rowsThat(count, `have no ${key.name} (null)`)}`;
    if (count > 0) defects.push({ kind: 'no_key', what });
  }
  for (const [at, { kind, words, name, value, condition }] of found.entries()) {
    const values = `SELECT ${value} AS v FROM ${rows} WHERE ${condition}`;
    defects.push(...(await describeDefect(session, source, foundCounts[at] ?? 0, { kind, words, name, values })));
  }
  const whole = timestamps.filter((_, at) => fineCounts[at] === 0).map(({ name }) => name);
  return {
    rowCount,
    extra: extraCount,
    defects,
    wholeMilliseconds: new Set(whole),
    specialValues: specials.filter((_, at) => (numbers[at] ?? 0) > 0),
  };
};

interface WrongRows extends Pick<Defect, 'kind'> {
  /** Begins with a verb in the plural. */
  readonly words: string;
  /** The column the sample values are of. */
  readonly name: string;
  /** DuckDB SQL for the values in question, in a column `v`. */
  readonly values: string;
}

/** Empty when the count is 0, otherwise one sentence with up to five sample values. */
const describeDefect = async (
  session: DuckdbSession,
  source: SourceTable,
  count: number,
  { kind, words, name, values }: WrongRows,
): Promise<readonly Defect[]> => {
  if (count === 0) return [];
  const samples = await session.rows(
    `SELECT DISTINCT CAST(v AS VARCHAR) AS v FROM (${values}) ORDER BY v LIMIT ${MAX_SAMPLES + 1}`,
  );
  const shown = samples.slice(0, MAX_SAMPLES).map(({ v }) => `'${String(v)}'`);
  const more = samples.length > MAX_SAMPLES ? ', …' : '';
  return [{ kind, what: `${source.title}: ${rowsThat(count, words)} (${name} = ${shown.join(', ')}${more})` }];
};

/** The defect of the rows with these values, if any. */
const findRows = async (session: DuckdbSession, source: SourceTable, wrong: WrongRows): Promise<readonly Defect[]> => {
  const [row] = await session.rows(`SELECT count(*) AS c FROM (${wrong.values})`);
  return describeDefect(session, source, Number(row?.['c'] ?? 0), wrong);
};

/** `3 rows point to …`, `1 row points to …`. */
const rowsThat = (count: number, words: string): string => {
  if (count !== 1) return `${count} rows ${words}`;
  const [verb = '', ...rest] = words.split(' ');
  return ['1 row', verb === 'have' ? 'has' : `${verb}s`, ...rest].join(' ');
};
