import { untilAtRest } from '../support/at-rest';
import { type RunningSystem, startRunningSystem, TIMEOUT_MS } from '../support/running-system';
import { fillWarehouse } from '../support/sample-mappings';
import { administration } from './parts/administration';
import { commands } from './parts/command-line';
import { exportJobs } from './parts/export-jobs';
import { instanceAccess } from './parts/instance-access';
import { instanceChanges } from './parts/instance-changes';
import { mainJob } from './parts/main-job';
import { mappingResources } from './parts/mapping-resources';
import { metrics } from './parts/metrics';
import { requestLines } from './parts/request-lines';

jest.setTimeout(2 * TIMEOUT_MS);

/**
 * The parts share one running system, since starting one takes longer than most of their tests. Each begins without
 * mappings and instances. Run one alone with `npx jest one-system -t 'in one system: metrics'`.
 */
const PARTS = {
  // These two count what happened since the start of the system.
  metrics,
  'request lines': requestLines,
  'export jobs': exportJobs,
  'main job': mainJob,
  'command line': commands,
  'resources of mappings': mappingResources,
  'instance access': instanceAccess,
  administration,
  'instance changes': instanceChanges,
};

let system: RunningSystem;
beforeAll(async () => {
  system = await startRunningSystem(fillWarehouse, {
    ROWGRAPH_E2E_TEST_USERS: 'bob, robot',
    ROWGRAPH_LOG_LEVEL: 'debug',
    ROWGRAPH_REFUSED_CALLS_PER_MINUTE: '1000',
  });
  const olivia = system.as('olivia');
  await olivia.call('createUser', { body: { username: 'carl' } });
  await olivia.call('createUser', { body: { username: 'anna', role: 'admin' } });
});
afterAll(() => system.close());

/** Deletes all instances, snapshots and mappings. */
const empty = async (): Promise<void> => {
  const olivia = system.as('olivia');
  for (const resource_type of ['instance', 'snapshot', 'mapping']) {
    const body = { resource_type, filters: { older_than_hours: 0 }, reason: 'the next part begins without them' };
    await olivia.call('deleteInBulk', { body });
  }
  expect((await olivia.call('listMappings')).meta.total).toBe(0);
  await untilAtRest(system);
};

describe.each(Object.entries(PARTS))('in one system: %s:', (_, part) => {
  beforeAll(empty);
  part(() => system);
});
