import { type UseQueryResult } from '@tanstack/react-query';
import { type Key, type ReactNode } from 'react';
import { Loaded } from './view';

interface RecordTableProps<T> {
  readonly label: string;
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => Key;
  /** The content of each column, by its title. */
  readonly columns: Readonly<Record<string, (row: T) => ReactNode>>;
  /** Shown instead of a table without rows. */
  readonly empty: string;
  /** Number of records, including those that are not shown. */
  readonly total?: number | undefined;
}

/** Records as a table with its own scrolling. */
export const RecordTable = <T,>({ label, rows, keyOf, columns, empty, total = 0 }: RecordTableProps<T>) => {
  if (rows.length === 0) return <p className="dimmed">{empty}</p>;
  const titles = Object.keys(columns);
  return (
    <>
      <div className="table-scroller" tabIndex={0} role="region" aria-label={label}>
        <table className="rows">
          <thead>
            <tr>
              {titles.map((title) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={keyOf(row)}>
                {titles.map((title) => (
                  <Cell key={title} value={columns[title]?.(row)} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {total > rows.length && (
        <p className="dimmed">
          The first {rows.length} of {total}.
        </p>
      )}
    </>
  );
};

interface RecordsProps<T> extends Omit<RecordTableProps<T>, 'rows' | 'total'> {
  readonly query: UseQueryResult<{ readonly data: readonly T[]; readonly page: { readonly total: number } | null }>;
}

/** A list of the API as a table. */
export const Records = <T,>({ query, ...table }: RecordsProps<T>) => (
  <Loaded query={query}>{({ data, page }) => <RecordTable rows={data} total={page?.total} {...table} />}</Loaded>
);

/** A longer text has its own lines. */
const LONG = 60;

const Cell = ({ value }: { readonly value: ReactNode }) => (
  <td>
    {typeof value === 'string' ? <bdi className={value.length > LONG ? 'error-text' : undefined}>{value}</bdi> : value}
  </td>
);
