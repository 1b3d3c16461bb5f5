import { Button, Group, Title } from '@mantine/core';
import { type UseQueryResult } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { fullName } from '../../api/guess-graph';
import { type TableName, useFoundColumns, useFoundTables, useSampleRows, useTables } from '../../api/tables';
import { SearchField } from '../../kit/field';
import { counted } from '../../kit/format';
import { useFilter } from '../../kit/list-filters';
import { SampleTable } from '../../kit/sample-table';
import { Loaded, PageTitle, Rest } from '../../kit/view';
import { CatalogTree, TableButton, type TableChoosing } from './catalog-tree';

/** The catalogs of the warehouse down to columns and rows; the selection is in the URL. */
export const DataPage = () => {
  const { q, catalog, schema, table } = useSearch({ from: '/data' });
  const show = useFilter();
  const chosen =
    catalog === undefined || schema === undefined || table === undefined ? null : { catalog, schema, table };
  return (
    <>
      <PageTitle mb="md">Data</PageTitle>
      <div className="data-view">
        <section className="panel" aria-label="Tables">
          <SearchField
            aria-label="Search tables and columns"
            placeholder="Name of a table or column"
            mb="sm"
            text={q}
            onChange={(text) => show({ q: text })}
          />
          {q === undefined ? (
            <CatalogTree chosen={chosen} onChoose={(name) => show({ ...name })} />
          ) : (
            <FoundNames q={q} chosen={chosen} onChoose={(name) => show({ ...name })} />
          )}
        </section>
        {chosen === null ? (
          <p className="dimmed">Choose a table to see its columns and sample rows.</p>
        ) : (
          <TablePanel key={Object.values(chosen).join('\n')} name={chosen} />
        )}
      </div>
    </>
  );
};

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
const FoundNames = ({ q, ...choosing }: TableChoosing & { readonly q: string }) => {
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

const SAMPLED = 10;

/** The columns of a table with their types, and sample rows. */
const TablePanel = ({ name }: { readonly name: TableName }) => {
  const tables = useTables([name]);
  const rows = useSampleRows(name, SAMPLED);
  const navigate = useNavigate();
  const build = (): void => void navigate({ to: '/mappings/new', search: { table: fullName(name) } });
  return (
    <section className="panel" aria-labelledby="table">
      <Group justify="space-between" align="start" mb="sm">
        <Title order={2} size="h3" id="table">
          <bdi>{fullName(name)}</bdi>
        </Title>
        <Button onClick={build}>Build a mapping</Button>
      </Group>
      <Loaded query={tables}>
        {([table]) => (
          <>
            <h3 className="small-title">{counted(table?.columns.length ?? 0, 'column')}</h3>
            <ul className="columns">
              {table?.columns.map(({ name: column, type, isNullable }) => (
                <li key={column}>
                  <bdi>{column}</bdi> <span className="dimmed">{isNullable ? type : `${type}, not null`}</span>
                </li>
              ))}
            </ul>
            <h3 className="small-title">Sample rows</h3>
            <Loaded query={rows}>
              {(found) => <SampleTable label="Sample rows" columns={table?.columns ?? []} rows={found} />}
            </Loaded>
          </>
        )}
      </Loaded>
    </section>
  );
};
