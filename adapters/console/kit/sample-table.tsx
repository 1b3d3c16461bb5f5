import { truncate } from './format';

interface SampleTableProps {
  readonly label: string;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly rows: readonly Readonly<Record<string, string | null>>[];
}

const MAX_CELL = 60;
const NUMBER = /^(u?(tiny|small|big|huge)?int(eger)?|double|float|real|decimal)(\(.*\))?$/i;

/** Sample rows of a table, with the types of its columns. */
export const SampleTable = ({ label, columns, rows }: SampleTableProps) => (
  <div className="table-scroller" tabIndex={0} role="region" aria-label={label}>
    <table className="rows sample">
      <thead>
        <tr>
          {columns.map(({ name, type }) => (
            <th key={name} scope="col">
              <bdi>{name}</bdi> <span className="dimmed">{type}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={index}>
            {columns.map(({ name, type }) => (
              <td key={name} className={NUMBER.test(type) ? 'number' : undefined}>
                <bdi>{truncate(row[name] ?? '', MAX_CELL)}</bdi>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
    {rows.length === 0 && <p className="dimmed">No rows.</p>}
  </div>
);
