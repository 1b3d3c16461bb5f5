import { exportJobStream } from '../../domain/export-job';
import { instanceStream } from '../../domain/instance';
import { instanceExpiry, resourceExpiry } from '../../domain/policies';
import { type ExportDirectory, type LifeDirectory } from '../../domain/ports/directories';
import { snapshotStream } from '../../domain/snapshot';
import { type LogReaders } from './log-readers';

/** Proposes too much, like outdated read models: it has no activity, and no instances of a snapshot. */
export const lifeDirectoryOf = (
  log: LogReaders,
  lastActivityOf: (instanceId: number) => Date | null,
): LifeDirectory => ({
  endingInstances: async (now) => {
    await log.refresh();
    const ending = [...log.instances.values()].filter((one) => {
      const { createdAt, changedAt } = log.timesOf(instanceStream(one.instanceId));
      return instanceExpiry({ ...one, createdAt, since: changedAt }, null, now.getTime()) !== null;
    });
    return ending.map(({ instanceId }) => instanceId);
  },
  endingSnapshots: async (now) => {
    await log.refresh();
    const ending = [...log.snapshots.values()].filter((one) => {
      const { createdAt } = log.timesOf(snapshotStream(one.snapshotId));
      return resourceExpiry({ ...one, createdAt, lastUsedAt: createdAt }, now.getTime()) !== null;
    });
    return ending.map(({ snapshotId }) => snapshotId);
  },
  endingMappings: () => Promise.resolve([]),
  lastActivityOf: (instanceId) => Promise.resolve(lastActivityOf(instanceId)),
});

/** `isGone`: whether a worker has been dead for longer than its lease. */
export const exportDirectoryOf = (
  log: LogReaders,
  isGone: (workerId: string, lastReportBefore: Date) => boolean,
): ExportDirectory => {
  const jobs = async () => {
    await log.refresh();
    return [...log.jobs.values()];
  };
  const endedAt = (jobId: number): number => log.timesOf(exportJobStream(jobId)).changedAt;
  return {
    expiredClaims: async (before) =>
      (await jobs()).filter((job) => job.status === 'claimed' && Date.parse(job.leaseUntil) < before.getTime()),
    abandonedJobs: async (lastReportBefore) =>
      (await jobs()).filter((job) => job.status === 'claimed' && isGone(job.workerId, lastReportBefore)),
    openJobs: async (begunBefore) =>
      (await jobs())
        .filter(({ status }) => status === 'claimed' || status === 'submitted')
        .map(({ jobId }) => jobId)
        .filter((jobId) => log.timesOf(exportJobStream(jobId)).createdAt < begunBefore.getTime()),
    addressOf: () => Promise.resolve(null),
    undecidedSnapshots: async (endedBefore) => {
      const all = await jobs();
      const isEnded = (snapshotId: number): boolean => {
        const own = all.filter((job) => job.snapshotId === snapshotId);
        const ended = own.filter(({ status }) => status === 'completed' || status === 'failed');
        return (
          own.length > 0 &&
          own.length === ended.length &&
          ended.every(({ jobId }) => endedAt(jobId) < endedBefore.getTime())
        );
      };
      return [...log.snapshots.values()]
        .filter(({ status }) => status === 'pending' || status === 'creating')
        .map(({ snapshotId }) => snapshotId)
        .filter(isEnded);
    },
  };
};
