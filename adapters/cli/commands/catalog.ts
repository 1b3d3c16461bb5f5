import { setTimeout as sleep } from 'node:timers/promises';
import { isLeft, left } from 'fp-ts/Either';
import { type Action, type ActionGroup, present } from '../action';
import { answered, failed } from '../failure';
import { command } from '../command';
import { type Columns, listOutput } from '../output';
import { option } from '../request-options';

interface Table {
  readonly catalog_name: string;
  readonly schema_name: string;
  readonly table_name: string;
}

const fullName = ({ catalog_name, schema_name, table_name }: Table): string =>
  `${catalog_name}.${schema_name}.${table_name}`;

const tableColumns: Columns<Table & { readonly column_count: number }> = { table: fullName, columns: 'column_count' };

const problemsOf = (
  catalogs: readonly { readonly catalog_name: string; readonly problem: string | null }[],
): readonly string[] =>
  catalogs.flatMap(({ catalog_name, problem }) => (problem === null ? [] : [`${catalog_name}: ${problem}`]));

const browse: Action = {
  usage: 'browse [name]',
  summary: 'What queries can read: catalogs, or what is in a catalog, a schema or a table',
  options: [
    { flags: '--search <text>', description: 'only with this text in the name' },
    { flags: '--limit <n>', description: 'how many (default 50, at most 100)', kind: 'integer' },
    { flags: '--offset <n>', description: 'skip as many', kind: 'integer' },
  ],
  examples: ['catalog browse', 'catalog browse bank.main', 'catalog browse bank.main.account'],
  run: ({ api }, input) => {
    const query = {
      ...present('search', input.text('search')),
      ...present('limit', input.integer('limit')),
      ...present('offset', input.integer('offset')),
    };
    const [catalog = '', schema, table] = input.argument(0).split('.');
    if (catalog === '') {
      const columns = { catalog: 'catalog_name', schemas: 'schema_count', 'as of': 'cached_at' } as const;
      return answered(api.listSchemaCatalogs({ query }), (catalogs) => ({
        ...listOutput(catalogs, columns),
        warnings: problemsOf(catalogs.data),
      }));
    }
    if (schema === undefined) {
      return answered(api.listCatalogSchemas({ params: { catalog }, query }), (schemas) =>
        listOutput(schemas, { schema: ({ schema_name }) => `${catalog}.${schema_name}`, tables: 'table_count' }),
      );
    }
    if (table === undefined) {
      const params = { catalog, schema };
      return answered(api.listSchemaTables({ params, query }), (tables) => listOutput(tables, tableColumns));
    }
    return answered(api.listTableColumns({ params: { catalog, schema, table }, query }), (found) =>
      listOutput(found, {
        column: 'column_name',
        type: 'data_type',
        nullable: ({ is_nullable }) => (is_nullable ? 'yes' : 'no'),
      }),
    );
  },
};

const SEARCH = ['search <beginning>', 'Tables, or columns, whose name begins with a text'] as const;
const searched = {
  arguments: ['q'],
  options: [
    option('--columns', 'look for columns instead of tables'),
    option('--limit <n>', 'how many (default 100, at most 1000)'),
    option('--offset <n>', 'skip as many'),
  ],
};
const searchTables = command('searchSchemaTables', ...SEARCH, {
  ...searched,
  show: (tables) => listOutput(tables, tableColumns),
});
const searchColumns = command('searchSchemaColumns', ...SEARCH, {
  ...searched,
  show: (found) =>
    listOutput(found, { column: (column) => `${fullName(column)}.${column.column_name}`, type: 'data_type' }),
});

const search: Action = {
  ...searchTables,
  run: (session, input) => (input.flag('columns') ? searchColumns : searchTables).run(session, input),
};

const REFRESH_MS = 180_000;
const POLL_MS = 200;

const refresh: Action = {
  usage: 'refresh',
  summary: 'Look again what there is, and say what cannot be read (admins)',
  run: async ({ api, terminal }) => {
    const lastRefresh = () => answered(api.getSchemaStats(), ({ data }) => data.last_refresh);
    const before = await lastRefresh();
    if (isLeft(before)) return before;
    const started = await answered(api.refreshSchemaCache(), () => undefined);
    if (isLeft(started)) return started;
    const signal = AbortSignal.any([terminal.interrupted(), AbortSignal.timeout(REFRESH_MS)]);
    for (;;) {
      const last = await lastRefresh();
      if (isLeft(last)) return last;
      if (last.right !== before.right) break;
      if (signal.aborted)
        return left(failed('The catalogs are still being read. Whether that has ended: rowgraph catalog stats'));
      await sleep(POLL_MS, undefined, { signal }).catch(() => undefined);
    }
    return answered(api.listSchemaCatalogs(), ({ data }) => {
      const warnings = problemsOf(data);
      const text = 'The catalogs have been read again.';
      return { data, text, warnings, ...(warnings.length > 0 ? { exitCode: 1 } : {}) };
    });
  },
};

export const catalogCommands: ActionGroup = {
  name: 'catalog',
  summary: 'The tables queries can read',
  actions: [browse, search, refresh, command('getSchemaStats', 'stats', 'How much is known, and since when (admins)')],
};
