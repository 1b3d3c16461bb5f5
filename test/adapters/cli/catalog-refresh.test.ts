import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { commandLine } from '../../support/command-line';

const REQUESTED = '2026-03-01T12:00:00.000Z';
const EARLIER = '2026-03-01T11:00:00.000Z';

interface Stats {
  readonly last_refresh: string | null;
  readonly last_failure: object | null;
}

/** Runs a command at a server with this answer to `GET /schema/stats`. */
const run = async (action: string, stats: Stats) => {
  const sizes = { total_catalogs: 1, total_schemas: 1, total_tables: 1, total_columns: 1, index_size_bytes: 1 };
  const answers: Readonly<Record<string, unknown>> = {
    '/api/schema/admin/refresh': { status: 'started', requested_at: REQUESTED },
    '/api/schema/stats': { ...sizes, ...stats },
    '/api/schema/catalogs': [],
    '/api/schema/catalogs/c/schemas/s/tables/t/rows': [],
  };
  const server = createServer(({ url = '' }, response) => {
    const body = { data: answers[url], meta: { request_id: 'r-1', total: 0, offset: 0, limit: 50 } };
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const ROWGRAPH_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const environment = { ROWGRAPH_URL, ROWGRAPH_USERNAME: 'ada' };
  const ended = await commandLine('/nonexistent')(['catalog', ...action.split(' ')], { environment });
  server.closeAllConnections();
  server.close();
  return ended;
};

const refresh = (stats: Stats) => run('refresh', stats);

test('a failed refresh ends the command at once, with the reason and what the catalogs show', async () => {
  const message = 'The warehouse /w cannot be opened: EACCES. Correct it.';
  expect(await refresh({ last_refresh: EARLIER, last_failure: { started_at: REQUESTED, message } })).toEqual({
    code: 1,
    out: '',
    errors: `${message} The catalogs keep their earlier content.\n`,
  });
});

test('the failure of an earlier refresh does not end the command', async () => {
  const failure = { started_at: EARLIER, message: 'The warehouse is gone.' };
  expect(await refresh({ last_refresh: REQUESTED, last_failure: failure })).toEqual({
    code: 0,
    out: 'Refreshed the catalogs.\n',
    errors: '',
  });
});

test('the statistics have the last failure as a sentence', async () => {
  const last_failure = { started_at: REQUESTED, message: 'The warehouse is gone.' };
  const { out } = await run('stats', { last_refresh: EARLIER, last_failure });
  expect(out).toContain(`last failure      The warehouse is gone. (${REQUESTED})\n`);
});

test('a table without rows has a sentence', async () => {
  const { out, errors } = await run('rows c.s.t', { last_refresh: EARLIER, last_failure: null });
  expect(out + errors).toBe('The table has no rows.\n');
});
