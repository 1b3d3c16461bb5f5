import { type AlgorithmResult, byName, runRowsOf } from '../../client';
import { type Output, recordOf, tableOf } from '../output';
import { type Run } from './algorithms';

type Table = NonNullable<Output['table']>;

/** Rows of tables without --top. */
export const DEFAULT_TOP = 25;

/**
 * A run with its result: the highest values first, or the largest groups. CSV, TSV and JSON without `top` contain all
 * values.
 */
export const runOutput = (run: Run, top: number | undefined): Output => ({
  data: run.data,
  record: recordOf(run, {
    run: 'execution_id',
    algorithm: 'algorithm',
    status: 'status',
    progress: ({ progress }) => (progress === undefined ? undefined : `${Math.round(progress * 100)} %`),
    by: 'user_name',
    started: 'started_at',
    seconds: (one) => one.duration_seconds ?? one.elapsed_seconds,
    iterations: 'iterations',
    'last change': 'last_change',
    error: 'error',
    property: ({ result }) => result?.property_name,
    'nodes updated': ({ result }) => result?.nodes_updated,
    path: ({ result }) => result?.path?.join(' → '),
    length: ({ result }) => result?.length,
    hops: ({ result }) => result?.hop_count,
    'total weight': ({ result }) => result?.total_weight,
    value: ({ result }) => result?.value,
  }),
  warnings: run.warnings ?? [],
  ...(run.result === undefined ? {} : resultOf(run.result, run.isPartition ?? false, top)),
});

const resultOf = (result: AlgorithmResult, isPartition: boolean, top: number | undefined): Partial<Output> => {
  if (isPartition && result.values !== undefined) return groupOutput(result.values, top);
  const table = runRowsOf(result);
  if (table === null) return {};
  const name = table.columns[0] === 'node' ? 'Values' : 'Edges';
  const total = result.total ?? table.rows.length;
  return tableOutput(`${name} (${total}), highest first`, table, table, total, top);
};

const tableOutput = (
  title: string,
  table: Table,
  separated: Table,
  total: number,
  top: number = DEFAULT_TOP,
): Partial<Output> => {
  const rows = table.rows.slice(0, top);
  const rest = total - rows.length;
  const note = `${rest} more: set --top <n>; --csv, --tsv and --json without --top have all.`;
  return { separated, sections: [{ title, table: { ...table, rows } }], ...(rest > 0 ? { note } : {}) };
};

/**
 * Communities and components, the largest first. With `top`, CSV and TSV contain only the nodes of the largest groups.
 */
const groupOutput = (values: Readonly<Record<string, unknown>>, top: number | undefined): Partial<Output> => {
  const groups = new Map<unknown, string[]>();
  for (const [node, group] of Object.entries(values)) {
    const nodes = groups.get(group);
    if (nodes === undefined) groups.set(group, [node]);
    else nodes.push(node);
  }
  const sorted = [...groups]
    .map(([group, nodes]) => ({ group, nodes: nodes.sort(byName.compare) }))
    .sort(
      (one, other) => other.nodes.length - one.nodes.length || byName.compare(String(one.group), String(other.group)),
    );
  const table = tableOf(sorted, {
    group: 'group',
    nodes: ({ nodes }) => nodes.length,
    examples: ({ nodes }) => nodes.slice(0, EXAMPLES).join(', '),
  });
  const rows = sorted.slice(0, top).flatMap(({ group, nodes }) => nodes.map((node) => [node, group]));
  const separated = { columns: ['node', 'group'], rows };
  return tableOutput(`Groups (${sorted.length}), largest first`, table, separated, sorted.length, top);
};

const EXAMPLES = 3;
