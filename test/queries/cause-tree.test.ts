import { readConnectionTo } from '../../adapters/postgres/connection';
import { type AuditedResource } from '../../domain/audited-resource';
import { START } from '../../domain/kernel/event';
import { processCommandId } from '../../domain/processes';
import { readCauseTree } from '../../queries/cause-tree';
import { openReadDatabase, type ReadDatabase } from '../../queries/kit/database';
import { readStanding } from '../../queries/standing';
import { type CauseTree } from '../../queries/views/why';
import { createProjectionFixture, type ProjectionFixture } from '../projections/projection-fixture';
import { appendNext } from '../support/append-next';
import {
  instanceFailed,
  instanceRequested,
  jobFailed,
  jobPlanned,
  snapshotFailed,
  snapshotRequested,
} from '../support/domain-samples';
import { expectRight } from '../support/given-when-then';
import { createInMemoryIdGenerator } from '../support/in-memory/in-memory-id-generator';
import { createInMemorySystem } from '../support/in-memory-system';

const ids = createInMemoryIdGenerator();
const PROCESS = 'process_instance_startup-7';

const linesOf = ({ type, resource_type, resource_id, children }: CauseTree, indent = ''): readonly string[] => [
  `${indent}${type} ${resource_type} ${resource_id}`,
  ...children.flatMap((child) => linesOf(child, `${indent}  `)),
];

describe('the causes of an instance in an older log, whose events name their own commands', () => {
  let fixture: ProjectionFixture;
  let db: ReadDatabase;

  /** Appends events of one command, and returns the id of the first one. */
  const append = async (
    streamId: string,
    events: readonly { readonly type: string; readonly data: unknown }[],
    { commandId = ids.uuid(), role = 'system' } = {},
  ): Promise<string> => {
    const cause = { commandId, correlationId: 'r-1', causationId: commandId };
    const metadata = { ...cause, actor: 'ada', role, occurredAt: '2026-03-01T12:00:00.000Z' };
    const stored = events.map((event) => ({ ...event, id: ids.uuid(), schemaVersion: 1, metadata }));
    expectRight(await appendNext(fixture.store, streamId, stored));
    return stored[0]?.id ?? '';
  };
  const inputOf = (inputId: string, { type, data }: { readonly type: string; readonly data: unknown }) => ({
    type: 'ProcessInputReceived',
    data: { inputId, input: { type, schemaVersion: 1, data } },
  });

  beforeAll(async () => {
    fixture = await createProjectionFixture();
    db = openReadDatabase(readConnectionTo(fixture.connectionString));
    const requested = await append('instance-7', [instanceRequested], { role: 'analyst' });
    const request = { type: 'ProcessCommandQueued', data: { command: { type: 'RequestSnapshot', instanceId: 7 } } };
    await append(PROCESS, [inputOf(requested, instanceRequested), request]);
    await append('snapshot-3', [snapshotRequested], { commandId: processCommandId(ids, PROCESS, 1) });
    await append('export_job-11', [jobPlanned()]);
    await append('export_job-11', [jobFailed()]);
    const failed = await append('snapshot-3', [snapshotFailed]);
    await append(PROCESS, [inputOf(failed, snapshotFailed)]);
    await append('instance-7', [{ ...instanceFailed, data: { ...instanceFailed.data, failedPhase: 'export' } }]);
    const running = fixture.run();
    await running.caughtUp();
    await running.stop();
  });
  afterAll(async () => {
    await db.destroy();
    await fixture.close();
  });

  const treeOf = async (resource: AuditedResource): Promise<readonly string[]> => {
    const tree = await readCauseTree(db, ids, resource);
    return tree === null ? [] : linesOf(tree);
  };

  it('are found by the inputs of processes, the ids of their commands and the order of streams', async () => {
    expect(await treeOf({ type: 'instance', id: '7' })).toEqual([
      'Request instance 7',
      '  InstanceRequested instance 7',
      '    ProcessInputReceived process instance_startup-7',
      '      ProcessCommandQueued process instance_startup-7',
      '        SnapshotRequested snapshot 3',
      '          SnapshotFailed snapshot 3',
      '            ProcessInputReceived process instance_startup-7',
      '    InstanceFailed instance 7',
    ]);
    expect(await treeOf({ type: 'export_job', id: '11' })).toEqual([
      'Request export_job 11',
      '  ExportJobPlanned export_job 11',
      '    ExportJobFailed export_job 11',
    ]);
    expect(await treeOf({ type: 'mapping', id: '99' })).toEqual([]);
  });

  it('lead to the export job that failed', async () => {
    const { errorCode: error_code, errorMessage: message } = jobFailed().data;
    const failed_step = {
      resource_type: 'export_job',
      resource_id: '11',
      name: jobPlanned().data.entityName,
      error_code,
      message,
    };
    const expected = { state: 'failed', waiting_for: null, failed_step };
    expect(await readStanding(db, 'instance', 7)).toEqual(expected);
    expect(await readStanding(db, 'snapshot', 3)).toEqual(expected);
    expect(await readStanding(db, 'export_job', 11)).toEqual(expected);
    expect(await readStanding(db, 'instance', 99)).toMatchObject({ state: 'deleted' });
  });
});

describe('the causes of an instance whose pod was lost five times', () => {
  const LIVES = 5;
  const MINUTES_UP = 30;
  let fixture: ProjectionFixture;
  let db: ReadDatabase;
  beforeAll(async () => {
    fixture = await createProjectionFixture();
    db = openReadDatabase(readConnectionTo(fixture.connectionString));
    const system = createInMemorySystem();
    const stop = system.start();
    await system.createMapping();
    expectRight(await system.requestInstance());
    await system.settled();
    await system.completeSnapshot();
    await system.runFirstInstance();
    for (let life = 1; life <= LIVES; life++) {
      system.advanceClock(60 * MINUTES_UP);
      await system.losePod('missing', life);
      await system.settled();
      system.advanceClock(life);
      await system.reportRunning();
    }
    await stop();
    const { events } = expectRight(await system.store.readAll(START, 1000));
    for (const { streamId, ...event } of events) expectRight(await appendNext(fixture.store, streamId, [event]));
    const running = fixture.run();
    await running.caughtUp();
    await running.stop();
  });
  afterAll(async () => {
    await db.destroy();
    await fixture.close();
  });

  /** Each event of the instance with the time since its cause. */
  const livesIn = ({ type, children }: CauseTree): readonly string[] =>
    children.flatMap((child) => [
      ...(child.resource_type === 'instance' ? [`${child.type} ${child.ms_after_cause / 1000} s after ${type}`] : []),
      ...livesIn(child),
    ]);

  it('are one chain, in which each restart follows from the life before it', async () => {
    const tree = await readCauseTree(db, ids, { type: 'instance', id: '1' });
    if (tree === null) throw new Error('There is no tree.');
    expect(livesIn(tree)).toEqual([
      'InstanceRequested 0 s after Request',
      'InstanceStarting 0 s after ProcessCommandQueued',
      'InstanceRunning 0 s after InstanceStarting',
      ...Array.from({ length: LIVES }, (_, index) => [
        `InstanceRestarting ${60 * MINUTES_UP} s after InstanceRunning`,
        `InstanceRunning ${index + 1} s after InstanceRestarting`,
      ]).flat(),
    ]);
  });

  it('lead from each restart to the order of its pod', async () => {
    const tree = await readCauseTree(db, ids, { type: 'instance', id: '1' });
    const lines = tree === null ? [] : linesOf(tree).map((line) => line.trim());
    const ordered = lines.flatMap((line, index) =>
      line === 'InstanceRestarting instance 1' ? [lines.slice(index + 1, index + 5)] : [],
    );
    const order = ['ProcessInputReceived', 'ProcessCommandQueued', 'ProcessCommandDone', 'ProcessTimerSet'];
    expect(ordered).toEqual(Array(LIVES).fill(order.map((type) => `${type} process instance_startup-1`)));
  });
});
