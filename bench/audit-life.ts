import { CAPACITY_STREAM } from '../domain/capacity';
import { exportJobStream } from '../domain/export-job';
import { favoritesStream } from '../domain/favorites';
import { FOR_EVERYONE, GIB, instanceStream } from '../domain/instance';
import { mappingStream } from '../domain/mapping';
import { snapshotStream } from '../domain/snapshot';
import { type By, type LifeEvent, type LifeRecorder, NO_EFFECT, processOf, type Queued } from './life-recorder';

export interface Life {
  readonly instance: number;
  readonly mapping: number;
  readonly owner: string;
  readonly restarts: number;
  /** The request that deletes it; null: it is still running. */
  readonly end: ((recorder: LifeRecorder) => By) | null;
}

/** Records an instance with its snapshot, jobs and processes: requested, exported, started, restarted and deleted. */
export const recordLife = (recorder: LifeRecorder, life: Life): void => {
  const instance = new RecordedInstance(recorder, life);
  instance.request();
  instance.export();
  instance.use();
  if (life.end !== null) instance.delete(life.end(recorder));
};

const LATER = new Date(Date.UTC(2100, 0)).toISOString();
const SIZES = { sizeBytes: 2_000_000, nodeCounts: { Person: 20 }, edgeCounts: { KNOWS: 9 } };

class RecordedInstance {
  /** The snapshot has the id of the instance. */
  private readonly id: number;
  private readonly stream: string;
  private readonly snapshotStream: string;
  private readonly ofInstance: { readonly instanceId: number; readonly ownerUsername: string };
  private readonly ofSnapshot: { readonly snapshotId: number; readonly instanceId: number };
  private readonly storagePath: string;
  private readonly jobIds: readonly number[];
  private readonly urlSlug: string;
  private readonly startup: ReturnType<typeof processOf>;
  private readonly exporting: ReturnType<typeof processOf>;

  constructor(
    private readonly recorder: LifeRecorder,
    private readonly life: Life,
  ) {
    const { instance: id, owner, mapping } = life;
    this.id = id;
    this.stream = instanceStream(id);
    this.snapshotStream = snapshotStream(id);
    this.ofInstance = { instanceId: id, ownerUsername: owner };
    this.ofSnapshot = { snapshotId: id, instanceId: id };
    this.storagePath = `${owner}/${mapping}/v1/${id}/`;
    this.jobIds = [2 * id - 1, 2 * id];
    this.urlSlug = recorder.newId(0);
    this.startup = processOf(recorder, 'instance_startup', id);
    this.exporting = processOf(recorder, 'snapshot_export', id);
  }

  request(): void {
    const { recorder, id, ofInstance, ofSnapshot, urlSlug, life } = this;
    const { mapping: mappingId, owner } = life;
    const caller = recorder.request(owner, 'analyst');
    this.startup(recorder.add(CAPACITY_STREAM, { type: 'SlotReserved', data: ofInstance }, caller), 'set');
    const planned = { type: 'MappingSnapshotPlanned', data: { ...ofSnapshot, mappingId, version: 1 } } as const;
    recorder.add(mappingStream(mappingId), planned, caller);
    const data = {
      ...{ ...ofInstance, ...this.ofMapping(), urlSlug, snapshotId: id, wrapperType: 'graphdb_a' as const },
      ...{
        cpuCores: 2,
        name: `Graph ${id}`,
        description: '',
        ttl: null,
        inactivityTimeout: 'P3D',
        access: FOR_EVERYONE,
      },
    };
    const command = { type: 'RequestSnapshot', instanceId: id } as const;
    const effects: Queued['effects'] = (by, cause) => this.requestSnapshot(by, cause);
    this.startup(recorder.add(this.stream, { type: 'InstanceRequested', data }, caller), 'cleared', [
      { command, effects },
    ]);
  }

  export(): void {
    const { recorder, id, jobIds } = this;
    for (const jobId of jobIds) {
      const [stream, ofJob] = [exportJobStream(jobId), { jobId, snapshotId: id, attempt: 1 }];
      recorder.pass(5);
      const claim = { ...ofJob, workerId: 'worker', leaseUntil: LATER };
      this.exporting(recorder.add(stream, { type: 'ExportJobClaimed', data: claim }, this.worker()), 'set');
      recorder.pass(30);
      const result = { ...ofJob, rowCount: 20, sizeBytes: 1_000_000, completedAt: LATER };
      const completed = recorder.add(stream, { type: 'ExportJobCompleted', data: result }, this.worker());
      const command = { type: 'CompleteSnapshot', snapshotId: id, ...SIZES } as const;
      const effects: Queued['effects'] = (by, cause) => this.completeSnapshot(by, cause);
      this.exporting(completed, 'cleared', jobId === jobIds.at(-1) ? [{ command, effects }] : []);
    }
  }

  /** Restarts, a new name and a mark. */
  use(): void {
    const { recorder, id, stream, ofInstance, life } = this;
    for (let number = 1; number <= life.restarts; number += 1) {
      recorder.pass(1800);
      const data = { ...this.pod(number + 1), reason: 'restart', at: LATER, loadingCrash: null };
      const caller = recorder.request('system:reconciliation', 'system');
      this.startPod(recorder.add(stream, { type: 'InstanceRestarting', data }, caller));
    }
    if (id % 5 !== 0) return;
    const data = { ...ofInstance, name: `Renamed graph ${id}`, description: 'in use' };
    recorder.add(stream, { type: 'InstanceDescribed', data }, recorder.request(life.owner, 'analyst'));
    const favorite = { username: life.owner, resourceType: 'instance', resourceId: id } as const;
    const marked = { type: 'FavoriteAdded', data: favorite } as const;
    recorder.add(favoritesStream(life.owner), marked, recorder.request(life.owner, 'analyst'));
  }

  delete(caller: By): void {
    const { recorder, id: instanceId, stream, ofInstance, ofSnapshot, storagePath, urlSlug } = this;
    recorder.pass(3600);
    const ended = { ...ofInstance, reason: 'no longer used' };
    const release: Queued['effects'] = (by, cause) =>
      void recorder.add(CAPACITY_STREAM, { type: 'SlotReleased', data: ofInstance }, by, cause);
    const complete: Queued['effects'] = (by, cause) =>
      void recorder.add(stream, { type: 'InstanceDeleted', data: ended }, by, cause);
    this.startup(recorder.add(stream, { type: 'InstanceStopping', data: ended }, caller), 'cleared', [
      { command: { type: 'ReleaseSlot', instanceId }, effects: release },
      { command: { type: 'DeletePod', instanceId, urlSlug }, effects: NO_EFFECT },
      { command: { type: 'CompleteDeletion', instanceId }, effects: complete },
    ]);
    const data = { ...ofSnapshot, mappingId: this.life.mapping, storagePath, reason: 'no longer used' };
    const cleaner = recorder.request('system:lifecycle', 'system');
    recorder.add(this.snapshotStream, { type: 'SnapshotDeleted', data }, cleaner);
  }

  private requestSnapshot(caller: By, cause: string): void {
    const { recorder, id, ofInstance, ofSnapshot, storagePath, jobIds } = this;
    const jobs = jobIds.map((jobId) => ({ jobId, jobType: 'node' as const, entityName: `Node ${jobId % 2}` }));
    const lifetime = { ttl: null, inactivityTimeout: 'P3D', exportMaxSeconds: 3600 };
    const data = {
      ...{ ...ofSnapshot, ...ofInstance, ...this.ofMapping(), ...lifetime },
      ...{ name: `Snapshot ${id}`, storagePath, jobs },
    };
    const requested = recorder.add(this.snapshotStream, { type: 'SnapshotRequested', data }, caller, cause);
    const command = { type: 'PlanExportJobs', snapshotId: id } as const;
    const effects: Queued['effects'] = (by, queued) => this.planJobs(by, queued);
    this.exporting(requested, 'set', [{ command, effects }]);
  }

  private planJobs(caller: By, cause: string): void {
    const { recorder, id: snapshotId, ofInstance, storagePath } = this;
    for (const jobId of this.jobIds) {
      const job = {
        jobId,
        snapshotId,
        mappingOwner: ofInstance.ownerUsername,
        jobType: 'node' as const,
        catalog: null,
      };
      const query = {
        entityName: `Node ${jobId % 2}`,
        sql: 'SELECT id, name FROM people',
        columnNames: ['id', 'name'],
      };
      const data = { ...ofInstance, ...job, ...query, storagePath };
      recorder.add(exportJobStream(jobId), { type: 'ExportJobPlanned', data }, caller, cause);
    }
  }

  private completeSnapshot(caller: By, cause: string): void {
    const { recorder, id: instanceId, ofSnapshot } = this;
    const data = { ...ofSnapshot, ...SIZES };
    const ready = recorder.add(this.snapshotStream, { type: 'SnapshotReady', data }, caller, cause);
    const command = { type: 'StartInstance', instanceId, snapshotBytes: SIZES.sizeBytes } as const;
    const effects: Queued['effects'] = (by, queued) =>
      this.startPod(recorder.add(this.stream, { type: 'InstanceStarting', data: this.pod(1) }, by, queued));
    this.startup(ready, 'cleared', [{ command, effects }]);
  }

  private startPod(starting: LifeEvent): void {
    const { recorder, ofInstance, id: instanceId } = this;
    this.startup(starting, 'set', [{ command: { type: 'CreatePod', instanceId }, effects: NO_EFFECT }]);
    recorder.pass(20);
    const data = { ...ofInstance, instanceUrl: null, nodeCount: 20, edgeCount: 9 };
    const caller = recorder.request('system:pod', 'system');
    this.startup(recorder.add(this.stream, { type: 'InstanceRunning', data }, caller), 'cleared');
  }

  private readonly worker = (): By => this.recorder.request('system:worker', 'system');

  private readonly ofMapping = () => {
    const { mapping: mappingId } = this.life;
    return { mappingId, mappingName: `Mapping ${mappingId}`, mappingVersion: 1 };
  };

  private readonly pod = (life: number) => {
    const { ofInstance, urlSlug } = this;
    const size = { memoryBytes: 4 * GIB, cpuCores: 2, snapshotBytes: SIZES.sizeBytes };
    return {
      ...ofInstance,
      ...size,
      urlSlug,
      wrapperType: 'graphdb_a' as const,
      podName: `graph-${urlSlug}-${life}`,
      life,
    };
  };
}
