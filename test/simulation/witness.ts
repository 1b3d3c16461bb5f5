import { isLeft } from 'fp-ts/Either';
import { type Instance, instanceStream } from '../../domain/instance';
import { durationMs } from '../../domain/kernel/codecs';
import { type ObjectStore } from '../../domain/ports/object-store';
import { type LoggedEvent, type LogReaders } from './log-readers';
import { ROWS } from './simulated-engine';
import { type SimulatedPods } from './simulated-pods';
import { type SimulatedTime } from './simulated-time';

/**
 * A call takes effect at most this long after the decision to make it; the caller cannot know what happens in between.
 */
const LONGEST_CALL_MS = 60_000;

interface Seen {
  readonly time: SimulatedTime;
  readonly log: LogReaders;
  readonly pods: Pick<SimulatedPods, 'lockedAt'>;
  /** When uses of an instance were reported to the control plane, in order. */
  readonly activity: ReadonlyMap<number, readonly Date[]>;
  readonly objectStore: Pick<ObjectStore, 'getText'>;
  /** Addresses of the manifests of a snapshot's files. */
  readonly manifestsOf: (snapshotId: number) => readonly string[];
}

/** Checks what is ended, deleted and declared ready, at the moment it happens, and records violations. */
export const createWitness = ({ time, log, pods, activity, objectStore, manifestsOf }: Seen) => {
  const misdeeds: string[] = [];

  const wasInUse = ({ instanceId, urlSlug, inactivityTimeout }: Instance): boolean => {
    const knownUntil = time.now().getTime() - LONGEST_CALL_MS;
    const lockedAt = pods.lockedAt(urlSlug);
    const used = (activity.get(instanceId) ?? []).map((at) => at.getTime()).filter((at) => at < knownUntil);
    const isFresh = (used.at(-1) ?? 0) > time.now().getTime() - (durationMs(inactivityTimeout) ?? 0);
    return isFresh || (lockedAt !== null && (time.seconds - lockedAt) * 1000 > LONGEST_CALL_MS);
  };

  /** The instances whose deletion was requested. */
  const requested = new Set<number>();
  const deleted = (instanceId: number): void => {
    if (!requested.has(instanceId)) misdeeds.push(`instance ${instanceId} was deleted without a request`);
  };

  const stopping = (instanceId: number, reason: string): void => {
    const state = log.instances.get(instanceId);
    if (state === undefined) return;
    if (reason.startsWith('it was not used') && wasInUse(state))
      misdeeds.push(`instance ${instanceId} was ended while it was used`);
    const age = time.now().getTime() - log.timesOf(instanceStream(instanceId)).createdAt;
    if (reason.startsWith('its ttl') && age < (durationMs(state.ttl ?? '') ?? Infinity))
      misdeeds.push(`instance ${instanceId} was ended before its time`);
  };

  const ready = async (snapshotId: number): Promise<void> => {
    for (const manifest of manifestsOf(snapshotId)) {
      if (isLeft(await objectStore.getText(manifest)))
        misdeeds.push(`snapshot ${snapshotId} is ready without ${manifest}`);
    }
  };

  return {
    misdeeds,

    heard: (event: LoggedEvent): void => {
      switch (event.type) {
        case 'InstanceDeleted':
          return deleted(event.data.instanceId);
        case 'InstanceStopping':
          requested.add(event.data.instanceId);
          return stopping(event.data.instanceId, event.data.reason);
        case 'ExportJobCompleted':
          if (event.data.rowCount !== ROWS)
            misdeeds.push(`export job ${event.data.jobId} has counted ${event.data.rowCount} rows of ${ROWS}`);
          return;
        case 'SnapshotReady':
          return void ready(event.data.snapshotId);
        case 'SnapshotDeleted': {
          const status = log.instances.get(event.data.instanceId)?.status ?? 'deleted';
          if (status !== 'deleted' && status !== 'failed')
            misdeeds.push(`snapshot ${event.data.snapshotId} was deleted while its instance is ${status}`);
          return;
        }
        default:
          return;
      }
    },

    /** Must be called before everything below the prefix is deleted. */
    deleting: (prefix: string): void => {
      for (const { snapshotId, status } of log.snapshots.values()) {
        if (status === 'ready' && manifestsOf(snapshotId).some((manifest) => manifest.startsWith(prefix)))
          misdeeds.push(`files of snapshot ${snapshotId}, which is ready, were deleted: ${prefix}`);
      }
    },
  };
};
