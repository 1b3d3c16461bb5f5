import { type RunningSystem, startRunningSystem, TIMEOUT_MS } from '../support/running-system';
import { backgroundJobs, INTERVALS } from './parts/background-jobs';
import { ALLOWED_CATALOGS, fillCatalogs, schemaBrowser } from './parts/schema-browser';

jest.setTimeout(2 * TIMEOUT_MS);

let system: RunningSystem;
beforeAll(async () => {
  system = await startRunningSystem(fillCatalogs, {
    ROWGRAPH_JOB_INTERVALS: INTERVALS,
    ROWGRAPH_ALLOWED_CATALOGS: ALLOWED_CATALOGS,
  });
});
afterAll(() => system.close());

// Its jobs have not failed before.
backgroundJobs(() => system);
schemaBrowser(() => system);
