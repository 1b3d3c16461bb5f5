import { join } from 'node:path';
import { pino } from 'pino';
import { readSettings } from '../adapters/start/settings';
import { startSystem } from '../adapters/start/system';
import { need } from './need';

const PORT = '0';
const INTERNAL_PORT = '0';

/** Runs `measure` against a control plane on a database, with the ops user `olivia` and additional settings. */
export const withBenchSystem = async <A>(
  { connectionString, folder }: { readonly connectionString: string; readonly folder: string },
  measure: (url: string) => Promise<A>,
  more: Readonly<Record<string, string>> = {},
): Promise<A> => {
  const settings = readSettings({
    ROWGRAPH_DATABASE_URL: connectionString,
    ROWGRAPH_DATA_DIR: join(folder, 'data'),
    ROWGRAPH_PORT: PORT,
    ROWGRAPH_INTERNAL_PORT: INTERNAL_PORT,
    ROWGRAPH_POD_RUNTIME: 'none',
    ROWGRAPH_EMBEDDED_WORKER: 'off',
    ROWGRAPH_LOG_LEVEL: 'warn',
    ...more,
  });
  const system = need(await startSystem(need(settings), pino({ level: 'warn' }, process.stderr)));
  const url = system.publicUrl;
  try {
    const headers = { 'Content-Type': 'application/json' };
    const body = '{"username":"olivia"}';
    const answer = await fetch(`${url}/api/users/bootstrap`, { method: 'POST', headers, body });
    // 409: a system was started on this database before.
    if (answer.status !== 201 && answer.status !== 409) throw new Error(`bootstrap answered ${answer.status}`);
    return await measure(url);
  } finally {
    await system.stop();
  }
};
