import { type Action, type ActionGroup, type OptionSpec, present } from '../action';
import { answered } from '../answered';
import { type Columns, type Output, tableOf } from '../output';

/** Lists the whole of something: there are no pages. */
const whole = <R>(data: readonly R[], columns: Columns<R>): Output => ({
  data,
  table: tableOf(data, columns),
  ...(data.length === 0 ? { note: 'Nothing was found.' } : {}),
});

interface Table {
  readonly catalog_name: string;
  readonly schema_name: string;
  readonly table_name: string;
}

const fullName = ({ catalog_name, schema_name, table_name }: Table): string =>
  `${catalog_name}.${schema_name}.${table_name}`;

const tableColumns: Columns<Table & { readonly column_count: number }> = [
  ['table', fullName],
  ['columns', ({ column_count }) => column_count],
];

const browse: Action = {
  usage: 'browse [name]',
  summary: 'What queries can read: catalogs, or what is in a catalog, a schema or a table',
  examples: ['catalog browse', 'catalog browse bank.main', 'catalog browse bank.main.account'],
  run: ({ api }, given) => {
    const [catalog, schema, table] = (given.optionalArgument(0) ?? '').split('.');
    if (catalog === undefined || catalog === '') {
      return answered(api.listSchemaCatalogs(), ({ data }) =>
        whole(data, [
          ['catalog', ({ catalog_name }) => catalog_name],
          ['schemas', ({ schema_count }) => schema_count],
          ['as of', ({ cached_at }) => cached_at],
        ]),
      );
    }
    if (schema === undefined) {
      return answered(api.listCatalogSchemas({ params: { catalog } }), ({ data }) =>
        whole(data, [
          ['schema', ({ schema_name }) => `${catalog}.${schema_name}`],
          ['tables', ({ table_count }) => table_count],
        ]),
      );
    }
    if (table === undefined) {
      return answered(api.listSchemaTables({ params: { catalog, schema } }), ({ data }) => whole(data, tableColumns));
    }
    return answered(api.listTableColumns({ params: { catalog, schema, table } }), ({ data }) =>
      whole(data, [
        ['column', ({ column_name }) => column_name],
        ['type', ({ data_type }) => data_type],
        ['nullable', ({ is_nullable }) => (is_nullable ? 'yes' : 'no')],
      ]),
    );
  },
};

const searchOptions: readonly OptionSpec[] = [
  { flags: '--columns', description: 'look for columns instead of tables' },
  { flags: '--limit <n>', description: 'how many (default 100, at most 1000)', kind: 'integer' },
];

const search: Action = {
  usage: 'search <beginning>',
  summary: 'Tables, or columns, whose name begins with a text',
  options: searchOptions,
  run: ({ api }, given) => {
    const query = { q: given.argument(0), ...present('limit', given.integer('limit')) };
    return given.flag('columns')
      ? answered(api.searchSchemaColumns({ query }), ({ data }) =>
          whole(data, [
            ['column', (column) => `${fullName(column)}.${column.column_name}`],
            ['type', ({ data_type }) => data_type],
          ]),
        )
      : answered(api.searchSchemaTables({ query }), ({ data }) => whole(data, tableColumns));
  },
};

const refresh: Action = {
  usage: 'refresh',
  summary: 'Look again what there is, in the background (admins)',
  run: ({ api }) =>
    answered(api.refreshSchemaCache(), ({ data }) => ({
      data,
      text: data.status === 'started' ? 'The catalogs are being read again.' : 'The catalogs are being read already.',
    })),
};

const stats: Action = {
  usage: 'stats',
  summary: 'How much is known, and since when (admins)',
  run: ({ api }) =>
    answered(api.getSchemaStats(), ({ data }) => ({
      data,
      record: Object.entries(data).map(([name, value]) => [name.replaceAll('_', ' '), value]),
    })),
};

export const catalogCommands: ActionGroup = {
  name: 'catalog',
  summary: 'The tables queries can read',
  actions: [browse, search, refresh, stats],
};
