import { type Table } from '../../api/table';
import { useSampleRows } from '../../api/tables';
import { Loaded } from '../../kit/view';

const MAX_CELL = 60;

/** The columns of a table with their types, and some of its rows. */
export const SampleRows = ({ table }: { readonly table: Table }) => (
  <Loaded query={useSampleRows(table)}>
    {(rows) => (
      <div className="table-scroller" tabIndex={0} role="region" aria-label={`Rows of ${table.table}`}>
        <table className="rows sample">
          <thead>
            <tr>
              {table.columns.map(({ name, type }) => (
                <th key={name} scope="col">
                  <bdi>{name}</bdi> <span className="dimmed">{type}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              <tr key={index}>
                {table.columns.map(({ name }) => (
                  <td key={name}>
                    <bdi>{row[name]?.slice(0, MAX_CELL)}</bdi>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    )}
  </Loaded>
);
