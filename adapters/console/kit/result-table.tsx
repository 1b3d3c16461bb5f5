import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import { cellText, truncate } from './format';

interface ResultTableProps {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

const ROW_HEIGHT = 33;
const MAX_CELL = 300;
/** Each visible cell takes the browser time while the table is scrolled. */
const MAX_COLUMNS = 100;

/** Rows as a table; only visible rows are rendered. */
export const ResultTable = ({ columns: all, rows }: ResultTableProps) => {
  const columns = all.slice(0, MAX_COLUMNS);
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
  });
  const items = virtual.getVirtualItems();
  const before = items[0]?.start ?? 0;
  const after = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <div ref={scroller} className="table-scroller" tabIndex={0} role="region" aria-label="Rows">
      <table className="rows" aria-rowcount={rows.length}>
        <thead>
          <tr>
            {columns.map((column, index) => (
              <th key={index} scope="col">
                <bdi>{column}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {before > 0 && <tr aria-hidden style={{ height: before }} />}
          {items.map(({ index }) => (
            <tr key={index} aria-rowindex={index + 1}>
              {rows[index]?.slice(0, MAX_COLUMNS).map((value, place) => (
                <Cell key={place} value={value} />
              ))}
            </tr>
          ))}
          {after > 0 && <tr aria-hidden style={{ height: after }} />}
        </tbody>
      </table>
      {rows.length === 0 && <p className="dimmed">No rows.</p>}
      {columns.length < all.length && (
        <p className="dimmed">
          The first {MAX_COLUMNS} of {all.length} columns; export all rows for the others.
        </p>
      )}
    </div>
  );
};

const Cell = ({ value }: { readonly value: unknown }) => {
  const text = cellText(value);
  const isNumber = typeof value === 'number' || typeof value === 'bigint';
  return (
    <td className={isNumber ? 'number' : undefined} title={text.length > 40 ? truncate(text, 2000) : undefined}>
      <bdi>{truncate(text, MAX_CELL)}</bdi>
    </td>
  );
};
