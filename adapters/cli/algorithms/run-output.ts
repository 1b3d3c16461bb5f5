import { type Output, tableOf } from '../output';
import { type Run, type RunResult } from './algorithms';

type Table = NonNullable<Output['table']>;

/**
 * A run with what it found: values of nodes with the highest first.
 *
 * @param top How many rows people are shown; CSV, TSV and JSON have all.
 */
export const runOutput = (run: Run, top: number): Output => {
  const { result, progress, error } = run;
  const table = result === undefined ? null : resultTableOf(result);
  const seconds = run.duration_seconds ?? run.elapsed_seconds;
  const shown = table?.rows.slice(0, top) ?? [];
  const total = result?.total ?? table?.rows.length ?? 0;
  const rest = total - shown.length;
  return {
    data: run.data,
    record: [
      ['run', run.execution_id],
      ['algorithm', run.algorithm],
      ['status', run.status],
      ...(progress === undefined ? [] : [['progress', `${Math.round(progress * 100)} %`] as const]),
      ['by', run.user_name],
      ['started', run.started_at],
      ...(seconds === undefined ? [] : [['seconds', seconds] as const]),
      ...(error === undefined ? [] : [['error', error] as const]),
      ...(result === undefined ? [] : resultFields(result)),
    ],
    ...(table === null
      ? {}
      : {
          separated: table,
          sections: [{ title: titleOf(table, total), table: { ...table, rows: shown } }],
        }),
    ...(rest > 0
      ? { note: `${rest} more: run it with --top <n> for as many; without --top, --csv, --tsv and --json have all.` }
      : {}),
  };
};

const titleOf = ({ columns }: Table, total: number): string =>
  `${columns[0] === 'node' ? 'Values' : 'Edges'} (${total}), highest first`;

const resultFields = (result: RunResult): readonly (readonly [string, unknown])[] => {
  const { property_name, nodes_updated, path, length, hop_count, total_weight, value } = result;
  const named: readonly (readonly [string, unknown])[] = [
    ['property', property_name],
    ['nodes updated', nodes_updated],
    ['path', path?.join(' → ')],
    ['length', length],
    ['hops', hop_count],
    ['total weight', total_weight],
    ['value', value],
  ];
  return named.filter(([, one]) => one !== undefined);
};

/** Null for results that are no rows. */
const resultTableOf = ({ values, predictions, edges }: RunResult): Table | null => {
  if (values !== undefined) return valueTable(values);
  const pairs = predictions ?? edges;
  if (pairs === undefined) return null;
  const columns = ['source', 'target', predictions === undefined ? 'weight' : 'score'];
  const cellsOf = (pair: object): Map<string, unknown> => new Map(Object.entries(pair));
  const rows = pairs.map((pair) => columns.map((column) => cellsOf(pair).get(column)));
  return { columns, rows: highestFirst(rows, 2) };
};

/** By node; several kinds of values (hubs and authorities) side by side. */
const valueTable = (values: Readonly<Record<string, unknown>>): Table => {
  const kinds = Object.entries(values);
  if (kinds.length === 0 || !kinds.every((kind): kind is [string, object] => isMap(kind[1]))) {
    const table = tableOf(kinds, { node: ([node]) => node, value: ([, value]) => value });
    return { ...table, rows: highestFirst(table.rows, 1) };
  }
  const maps = kinds.map(([name, byNode]) => [name, new Map<string, unknown>(Object.entries(byNode))] as const);
  const nodes = [...new Set(maps.flatMap(([, byNode]) => [...byNode.keys()]))];
  const rows = nodes.map((node) => [node, ...maps.map(([, byNode]) => byNode.get(node))]);
  return { columns: ['node', ...maps.map(([name]) => name)], rows: highestFirst(rows, 1) };
};

const isMap = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Numbers before words, which are infinities and NaN; equal ones by the name of their node. */
const highestFirst = (rows: readonly (readonly unknown[])[], column: number): readonly (readonly unknown[])[] => {
  const rank = (value: unknown): number => {
    const number = Number(value);
    return value === null || typeof value === 'object' || Number.isNaN(number) ? -Infinity : number;
  };
  const byName = new Intl.Collator('en', { numeric: true });
  return rows
    .map((row) => ({ row, rank: rank(row[column]) }))
    .sort((one, other) =>
      one.rank === other.rank
        ? byName.compare(String(one.row[0]), String(other.row[0]))
        : other.rank > one.rank
          ? 1
          : -1,
    )
    .map(({ row }) => row);
};
