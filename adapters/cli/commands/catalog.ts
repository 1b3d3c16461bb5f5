import { isLeft, left } from 'fp-ts/Either';
import { counted } from '../../../domain/kernel/counted';
import { partsOfName, quotedName } from '../../client/quoted-name';
import { pause } from '../../system/retry';
import { type Action, type ActionGroup } from '../action';
import { command } from '../command';
import { answered, type CliFailure, failed } from '../failure';
import { type Columns, emptyNote, listOutput } from '../output';
import { option } from '../request-options';

interface Table {
  readonly catalog_name: string;
  readonly schema_name: string;
  readonly table_name: string;
}

const fullName = ({ catalog_name, schema_name, table_name }: Table): string =>
  [catalog_name, schema_name, table_name].map(quotedName).join('.');

const tableColumns: Columns<Table & { readonly column_count: number }> = { table: fullName, columns: 'column_count' };

const problemsOf = (
  catalogs: readonly { readonly catalog_name: string; readonly problem: string | null }[],
): readonly string[] =>
  catalogs.flatMap(({ catalog_name, problem }) => problem?.split('\n').map((line) => `${catalog_name}: ${line}`) ?? []);

const notATable = (name: string, problem: string): CliFailure =>
  failed(`${name} ${problem}; write catalog.schema.table, each in "…" if it has a dot.`);

const browse: Action = {
  usage: 'browse [name]',
  summary: 'List catalogs, or the contents of a catalog, schema or table',
  options: [
    option('--search <text>', 'filter by text in the name'),
    option('--limit <n>', 'page size (default 50, at most 100)', { kind: 'integer' }),
    option('--offset <n>', 'number of rows to skip', { kind: 'integer' }),
  ],
  examples: ['catalog browse', 'catalog browse bank.main', 'catalog browse bank.main.account'],
  run: ({ api }, input) => {
    const query = {
      search: input.text('search'),
      limit: input.integer('limit'),
      offset: input.integer('offset'),
    };
    const [catalog = '', schema, table, ...others] = partsOfName(input.argument(0));
    if (others.length > 0) return Promise.resolve(left(notATable(input.argument(0), 'has more than three parts')));
    if (catalog === '') {
      const columns = { catalog: 'catalog_name', schemas: 'schema_count', 'as of': 'cached_at' } as const;
      return answered(api.listSchemaCatalogs({ query }), (catalogs) => ({
        ...listOutput(catalogs, columns),
        warnings: problemsOf(catalogs.data),
      }));
    }
    if (schema === undefined) {
      return answered(api.listCatalogSchemas({ params: { catalog }, query }), (schemas) =>
        listOutput(schemas, {
          schema: ({ schema_name }) => `${quotedName(catalog)}.${quotedName(schema_name)}`,
          tables: 'table_count',
        }),
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

const rows: Action = {
  usage: 'rows <table>',
  summary: 'Show sample rows of a table',
  options: [option('--limit <n>', 'number of rows (default 10, at most 100)', { kind: 'integer' })],
  examples: ['catalog rows bank.main.account --limit 3'],
  run: ({ api }, input) => {
    const [catalog = '', schema = '', table = '', ...others] = partsOfName(input.argument(0));
    if (table === '' || others.length > 0) return Promise.resolve(left(notATable(input.argument(0), 'is not a table')));
    const query = { limit: input.integer('limit') };
    return answered(api.sampleTableRows({ params: { catalog, schema, table }, query }), ({ data }) => ({
      data,
      table: {
        columns: Object.keys(data[0] ?? {}),
        rows: data.map((row) => Object.values(row)),
        nullText: 'NULL',
      },
      note: emptyNote(data, 'The table has no rows.'),
    }));
  },
};

const SEARCH = ['search <prefix>', 'Find tables or columns by name prefix'] as const;
const searched = {
  arguments: ['q'],
  options: [
    option('--columns', 'find columns, not tables'),
    option('--limit <n>', 'page size (default 100, at most 1000)'),
    option('--offset <n>', 'number of rows to skip'),
  ],
};
const searchTables = command('searchSchemaTables', ...SEARCH, {
  ...searched,
  show: (tables) => listOutput(tables, tableColumns),
});
const searchColumns = command('searchSchemaColumns', ...SEARCH, {
  ...searched,
  show: (found) =>
    listOutput(found, {
      column: (column) => `${fullName(column)}.${quotedName(column.column_name)}`,
      type: 'data_type',
    }),
});

const search: Action = {
  ...searchTables,
  run: (session, input) => (input.flag('columns') ? searchColumns : searchTables).run(session, input),
};

const REFRESH_MS = 180_000;
const POLL_MS = 200;

const CORRECT_FILES = 'Correct, move or remove these files, then: rowgraph catalog refresh';

const refresh: Action = {
  usage: 'refresh',
  summary: 'Refresh the schema cache; list skipped files (admins)',
  run: async ({ api, terminal }) => {
    const requestedAt = await answered(api.refreshSchemaCache(), ({ data }) => data.requested_at);
    if (isLeft(requestedAt)) return requestedAt;
    const interrupted = terminal.interrupted();
    const until = Date.now() + REFRESH_MS;
    for (;;) {
      const stats = await answered(api.getSchemaStats(), ({ data }) => data);
      if (isLeft(stats)) return stats;
      const { last_refresh, last_failure } = stats.right;
      if (last_refresh !== null && last_refresh >= requestedAt.right) break;
      if (last_failure !== null && last_failure.started_at >= requestedAt.right) {
        return left(failed(`${last_failure.message} The catalogs keep their earlier content.`));
      }
      if (interrupted.aborted || Date.now() >= until) {
        return left({
          ...failed('The refresh continues; rowgraph catalog stats shows when it ended, or why it failed.'),
          ...(interrupted.aborted ? { exitCode: 130 } : {}),
        });
      }
      await pause(POLL_MS, interrupted);
    }
    return answered(api.listSchemaCatalogs(), ({ data }) => {
      const problems = problemsOf(data);
      if (problems.length === 0) return { data, text: 'Refreshed the catalogs.' };
      const text = `Refreshed the catalogs, except for ${counted(problems.length, 'problem')}:`;
      return { data, text, warnings: [...problems, CORRECT_FILES], exitCode: 1 };
    });
  },
};

export const catalogCommands: ActionGroup = {
  name: 'catalog',
  summary: 'Browse the tables that queries can read',
  actions: [
    browse,
    rows,
    search,
    refresh,
    command('addSample', 'sample', 'Add the tables of an invented bank to the warehouse (admins)', {
      show: ({ data }) => ({ data, text: `The catalog bank is available. To print its mapping: --json.` }),
    }),
    command('getSchemaStats', 'stats', 'Show the size and age of the schema cache (admins)', {
      show: ({ data: { last_failure, ...sizes } }) => {
        const failure = last_failure === null ? null : `${last_failure.message} (${last_failure.started_at})`;
        const others = Object.entries(sizes).map(([name, value]) => [name.replaceAll('_', ' '), value] as const);
        return { record: [...others, ['last failure', failure]] };
      },
    }),
  ],
};
