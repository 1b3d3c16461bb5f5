import { createInMemoryIdGenerator } from '../support/in-memory/in-memory-id-generator';
import { systemClock } from '../../adapters/system/system-clock';
import { exportJobs, instances, snapshots } from '../../commands/kit/aggregates';
import { loadHistory } from '../../commands/kit/load-stream';
import { processTimer } from '../../commands/processes/run-process';
import { DEFAULT_EXPORT_MAX_SECONDS } from '../../domain/config';
import { FOR_EVERYONE } from '../../domain/instance';
import { START } from '../../domain/kernel/event';
import { processStream } from '../../domain/kernel/process';
import { rebuildProjection } from '../../projections/rebuild';
import { projections } from '../../projections/registry';
import { instanceRequested, jobPlanned, snapshotRequested } from '../support/domain-samples';
import { giveToProcesses } from '../support/give-to-processes';
import { expectRight } from '../support/given-when-then';
import { createProjectionFixture, type ProjectionFixture } from './projection-fixture';
import { appendEvents } from './sample-events';

const AT = '2026-03-01T12:00:00.000Z';
const ofJob = { jobId: 11, snapshotId: 3 };
const { exportMaxSeconds: _later, ...requestedAtFirst } = snapshotRequested.data;
const { access: _access, ...createdAtFirst } = instanceRequested.data;
const { instanceId: _i, ownerUsername: _o, mappingOwner: _m, ...plannedAtFirst } = jobPlanned().data;
const submittedAtFirst = { ...ofJob, queryId: 'q1', nextUri: 'http://engine/1', nextPollAt: AT, pollCount: 0 };
const rescheduledAtFirst = { ...ofJob, nextUri: 'http://engine/2', nextPollAt: AT, pollCount: 1 };
const failedAtFirst = { snapshotId: 3, instanceId: 7, errorCode: 'DATA_LOAD_ERROR', errorMessage: 'no' };

/** Every event whose shape has changed, as the first version of it was written. */
describe('events written by an older version', () => {
  let fixture: ProjectionFixture;
  beforeAll(async () => {
    fixture = await createProjectionFixture();
    const { store } = fixture;
    await appendEvents(store, 'instance-7', [{ type: 'InstanceRequested', data: createdAtFirst }], AT);
    await appendEvents(store, 'snapshot-3', [{ type: 'SnapshotRequested', data: requestedAtFirst }], AT);
    const claimed = { ...ofJob, workerId: 'w1', attempt: 1, leaseUntil: '2026-03-01T12:10:00.000Z' };
    const jobEvents = [
      { type: 'ExportJobPlanned', data: { ...plannedAtFirst, ...ofJob } },
      { type: 'ExportJobClaimed', data: claimed },
      { type: 'ExportJobSubmitted', data: submittedAtFirst },
      { type: 'ExportJobRescheduled', data: rescheduledAtFirst },
    ];
    await appendEvents(store, 'export_job-11', jobEvents, AT);
    await appendEvents(store, 'snapshot-3', [{ type: 'SnapshotFailed', data: failedAtFirst }], AT);
  });
  afterAll(() => fixture.close());

  it('are read in their current form when a stream is loaded', async () => {
    const { store } = fixture;
    const job = await loadHistory(store, exportJobs, 'export_job-11');
    expect(expectRight(job).state).toMatchObject({ queryId: 'q1', nextUri: 'http://engine/2', pollCount: 1 });
    const snapshot = await loadHistory(store, snapshots, 'snapshot-3');
    expect(expectRight(snapshot).state).toMatchObject({ exportMaxSeconds: DEFAULT_EXPORT_MAX_SECONDS });
    const instance = await loadHistory(store, instances, 'instance-7');
    expect(expectRight(instance).state).toMatchObject({ access: FOR_EVERYONE });
    const failed = { ...failedAtFirst, failedStep: null, nodeCounts: {}, edgeCounts: {} };
    expect(expectRight(snapshot).events.at(-1)?.data).toEqual(failed);
  });

  it('produce the same rows in the read models through the feed and a rebuild', async () => {
    const running = fixture.run();
    await running.caughtUp();
    await running.stop();
    expect(running.parked).toEqual([]);
    const followed = await fixture.rows();
    expect(JSON.parse(followed['export_jobs']?.[0] ?? '')).toMatchObject({
      ...{
        instance_id: null,
        owner_username: null,
        mapping_owner: null,
        queryengine_query_id: 'q1',
        next_uri: 'http://engine/2',
        submitted_at: '2026-03-01T12:00:00+00:00',
      },
    });
    expect(JSON.parse(followed['snapshots']?.[0] ?? '')).toMatchObject({ id: 3, status: 'failed', failed_step: null });
    expect(JSON.parse(followed['instances']?.[0] ?? '')).toMatchObject({ access_mode: 'everyone', access_users: [] });
    for (const projection of projections) {
      if (projection.tables !== '') await rebuildProjection(fixture, projection);
    }
    expect(await fixture.rows()).toEqual(followed);
  });

  it('are accepted by processes, whose own streams then contain them as they were written', async () => {
    const ports = { store: fixture.store, clock: systemClock, ids: createInMemoryIdGenerator() };
    const { events } = expectRight(await fixture.store.readAll(START, 100));
    for (const event of events) expectRight(await giveToProcesses(ports, event));

    const streamId = processStream('snapshot_export', '3');
    const memory = async () => expectRight(await fixture.store.readStream(streamId));
    const due = (await memory()).find(({ data }) => JSON.stringify(data).includes('"duration:11"'));
    expect(due?.data).toEqual({ timerId: 'duration:11', dueAt: '2026-03-01T13:00:00.000Z' });
    // To fire, the timer folds the process's memory, old inputs included.
    const timer = { streamId, timerId: 'duration:11', setRevision: due?.revision ?? -1 };
    expectRight(await processTimer(ports, timer));
    expect((await memory()).at(-1)?.data).toMatchObject({ command: { type: 'FailExportJob', jobId: 11 } });
  });
});
