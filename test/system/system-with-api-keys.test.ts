import { commandLine } from '../support/command-line';
import { TIMEOUT_MS, type RunningSystem, startRunningSystem } from '../support/running-system';
import { fillWarehouse } from '../support/sample-mappings';
import { apiKeys } from './parts/api-keys';
import { refusedCalls } from './parts/refused-calls';

jest.setTimeout(2 * TIMEOUT_MS);

let system: RunningSystem;
let key: string;
beforeAll(async () => {
  system = await startRunningSystem(fillWarehouse, { ROWGRAPH_IDENTITY_MODE: 'api-key' }, async (started) => {
    const bootstrapped = await commandLine(started.folder)(['users', 'bootstrap', 'olivia', '--url', started.url]);
    key = /^API key: (\S+)$/m.exec(bootstrapped.out)?.[1] ?? '';
    const headers = { Authorization: `Bearer ${key}` };
    for (const username of ['ada', 'bob']) await started.as(null).call('createUser', { body: { username }, headers });
  });
});
afterAll(() => system.close());

// Counts what the other part would add to.
refusedCalls(
  () => system,
  () => key,
);
apiKeys(
  () => system,
  () => key,
);
