import { type TableName, useCatalogs, useSchemas, useSchemaTables } from '../../api/tables';
import { counted } from '../../kit/format';
import { NoTables } from '../../kit/table-choice';
import { Branch, Loaded, Problem, Rest } from '../../kit/view';

/** Catalogs, schemas and tables; each level is read when it is opened. */
export const CatalogTree = (choosing: TableChoosing) => {
  const catalogs = useCatalogs();
  return (
    <Loaded query={catalogs}>
      {({ data, page }) => (
        <>
          {data.length === 0 && <NoTables />}
          {data.map(({ catalog_name: catalog, schema_count, problem }) => (
            <Branch
              key={catalog}
              title={<Title name={catalog} note={counted(schema_count, 'schema')} />}
              startsOpen={data.length === 1 || choosing.chosen?.catalog === catalog}
            >
              {() => (
                <>
                  {problem !== null && <Problem error={new Error(problem)} title="Incomplete" />}
                  <Schemas catalog={catalog} {...choosing} />
                </>
              )}
            </Branch>
          ))}
          <Rest shown={data.length} page={page} />
        </>
      )}
    </Loaded>
  );
};

const Title = ({ name, note }: { readonly name: string; readonly note: string }) => (
  <>
    <bdi>{name}</bdi> <span className="dimmed">{note}</span>
  </>
);

const Schemas = ({ catalog, ...choosing }: TableChoosing & Pick<TableName, 'catalog'>) => (
  <Loaded query={useSchemas(catalog)}>
    {({ data, page }) => (
      <>
        {data.length === 0 && <p className="dimmed">No tables.</p>}
        {data.map(({ schema_name: schema, table_count }) => (
          <Branch
            key={schema}
            title={<Title name={schema} note={counted(table_count, 'table')} />}
            startsOpen={data.length === 1 || choosing.chosen?.schema === schema}
          >
            {() => <Tables catalog={catalog} schema={schema} {...choosing} />}
          </Branch>
        ))}
        <Rest shown={data.length} page={page} />
      </>
    )}
  </Loaded>
);

const Tables = ({ catalog, schema, ...choosing }: TableChoosing & Omit<TableName, 'table'>) => (
  <Loaded query={useSchemaTables(catalog, schema)}>
    {({ data, page }) => (
      <div className="schema">
        {data.map(({ table_name: table, column_count }) => (
          <TableButton
            key={table}
            name={{ catalog, schema, table }}
            title={table}
            note={counted(column_count, 'column')}
            {...choosing}
          />
        ))}
        <Rest shown={data.length} page={page} />
      </div>
    )}
  </Loaded>
);

export interface TableChoosing {
  readonly chosen: TableName | null;
  readonly onChoose: (name: TableName) => void;
}

interface TableButtonProps extends TableChoosing {
  readonly name: TableName;
  readonly title: string;
  readonly note: string;
}

/** Selects a table. */
export const TableButton = ({ name, title, note, chosen, onChoose }: TableButtonProps) => {
  const { catalog, schema, table } = name;
  const isChosen = chosen?.catalog === catalog && chosen.schema === schema && chosen.table === table;
  return (
    <button type="button" aria-pressed={isChosen} onClick={() => onChoose({ catalog, schema, table })}>
      <bdi>{title}</bdi> <bdi className="dimmed">{note}</bdi>
    </button>
  );
};
