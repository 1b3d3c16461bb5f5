import { commandLine } from '../support/command-line';
import { type RunningSystem, startRunningSystem, TIMEOUT_MS } from '../support/running-system';
import { fillWarehouse } from '../support/sample-mappings';
import { apiKeys } from './parts/api-keys';
import { refusedCalls } from './parts/refused-calls';

jest.setTimeout(2 * TIMEOUT_MS);

let system: RunningSystem;
let key: string;
beforeAll(async () => {
  const environment = { ROWGRAPH_BOOTSTRAP_TOKEN: 'the bootstrap token of a test' };
  const settings = { ROWGRAPH_IDENTITY_MODE: 'api-key', ...environment };
  system = await startRunningSystem(fillWarehouse, settings, async (started) => {
    const words = ['users', 'bootstrap', 'olivia', '--url', started.url];
    const bootstrapped = await commandLine(started.folder)(words, { environment });
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
