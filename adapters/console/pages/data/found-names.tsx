import { type UseQueryResult } from '@tanstack/react-query';
import { useFoundColumns, useFoundTables } from '../../api/catalog';
import { Rest } from '../../kit/rest';
import { Loaded } from '../../kit/view';
import { TableButton, type TableChoosing } from './table-button';

interface Found {
  readonly data: readonly {
    readonly catalog_name: string;
    readonly schema_name: string;
    readonly table_name: string;
    readonly column_name?: string;
  }[];
  readonly page: { readonly total: number } | null;
}

/** Tables and columns whose names start with a text. */
export const FoundNames = ({ q, ...choosing }: TableChoosing & { readonly q: string }) => {
  const found: readonly { readonly title: string; readonly query: UseQueryResult<Found> }[] = [
    { title: 'Tables', query: useFoundTables(q) },
    { title: 'Columns', query: useFoundColumns(q) },
  ];
  return (
    <div className="schema">
      {found.map(({ title, query }) => (
        <div key={title}>
          <h2>{title}</h2>
          <Loaded query={query}>
            {({ data, page }) => (
              <>
                {data.length === 0 && <p className="dimmed">No tables or columns found.</p>}
                {data.map(({ catalog_name: catalog, schema_name: schema, table_name: table, column_name: column }) => (
                  <TableButton
                    key={[catalog, schema, table, column].join('\n')}
                    name={{ catalog, schema, table }}
                    title={column ?? table}
                    note={column === undefined ? `${catalog}.${schema}` : `${catalog}.${schema}.${table}`}
                    {...choosing}
                  />
                ))}
                <Rest shown={data.length} page={page} />
              </>
            )}
          </Loaded>
        </div>
      ))}
    </div>
  );
};
