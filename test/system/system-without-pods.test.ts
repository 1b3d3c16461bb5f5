import { type RunningSystem, startRunningSystem, TIMEOUT_MS } from '../support/running-system';
import { fillWarehouse } from '../support/sample-mappings';
import { liveProgress, SECRET } from './parts/live-progress';
import { podsElsewhere } from './parts/pods-elsewhere';

jest.setTimeout(2 * TIMEOUT_MS);

let system: RunningSystem;
beforeAll(async () => {
  const settings = { ROWGRAPH_POD_RUNTIME: 'none', ROWGRAPH_INTERNAL_SECRET: SECRET };
  system = await startRunningSystem(fillWarehouse, settings);
});
afterAll(() => system.close());

liveProgress(() => system);
podsElsewhere(() => system);
