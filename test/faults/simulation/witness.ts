import { type ExportJob } from '../../../domain/export-job';
import { type Instance } from '../../../domain/instance';
import { durationMs } from '../../../domain/kernel/codecs';
import { instanceStream } from '../../../domain/instance';
import { type LogReaders } from './log-readers';
import { type SimulatedPods } from './simulated-pods';
import { type SimulatedTime } from './simulated-time';

/** A call takes effect so long after it was decided on, at most: what happens meanwhile cannot be known. */
const LONGEST_CALL_MS = 60_000;

interface Seen {
  readonly time: SimulatedTime;
  readonly log: LogReaders;
  readonly pods: Pick<SimulatedPods, 'lockedAt'>;
  /** When the control plane was told that an instance is used, in order. */
  readonly activity: ReadonlyMap<number, readonly Date[]>;
  readonly folderOf: (job: ExportJob) => string;
}

/** Watches what is ended and deleted, at the moment it happens, and writes down what was wrong. */
export const createWitness = ({ time, log, pods, activity, folderOf }: Seen) => {
  const misdeeds: string[] = [];
  const stopped = new Set<number>();

  const wasInUse = ({ instanceId, urlSlug, inactivityTimeout }: Instance): boolean => {
    const knownUntil = time.now().getTime() - LONGEST_CALL_MS;
    const lockedAt = pods.lockedAt(urlSlug);
    const used = (activity.get(instanceId) ?? []).map((at) => at.getTime()).filter((at) => at < knownUntil);
    const isFresh = (used.at(-1) ?? 0) > time.now().getTime() - (durationMs(inactivityTimeout) ?? 0);
    return isFresh || (lockedAt !== null && (time.seconds - lockedAt) * 1000 > LONGEST_CALL_MS);
  };

  return {
    misdeeds,

    /** To be called when the log has been read up to these events. */
    appended: (events: readonly { readonly type: string; readonly data: unknown }[]): void => {
      if (!events.some(({ type }) => type === 'InstanceStopping')) return;
      for (const one of log.instances.values()) {
        if (one.status !== 'stopping' || stopped.has(one.instanceId)) continue;
        stopped.add(one.instanceId);
        const { createdAt } = log.timesOf(instanceStream(one.instanceId));
        const isUnused = one.stopReason?.startsWith('it was not used') === true;
        if (isUnused && wasInUse(one)) misdeeds.push(`instance ${one.instanceId} was ended while it was used`);
        const isOver = time.now().getTime() - createdAt >= (durationMs(one.ttl ?? '') ?? Infinity);
        if (one.stopReason?.startsWith('its ttl') === true && !isOver)
          misdeeds.push(`instance ${one.instanceId} was ended before its time`);
      }
    },

    /** To be called before everything below the prefix is deleted. */
    deleting: (prefix: string): void => {
      for (const job of log.jobs.values()) {
        const status = log.snapshots.get(job.snapshotId)?.status;
        if (job.status !== 'completed' || status === undefined || status === 'failed') continue;
        const folder = folderOf(job);
        if (folder.startsWith(prefix) || prefix.startsWith(folder))
          misdeeds.push(`files of snapshot ${job.snapshotId}, which is ${status}, were deleted: ${prefix}`);
      }
    },
  };
};
