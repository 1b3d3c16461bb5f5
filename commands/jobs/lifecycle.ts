import { isLeft, left, right } from 'fp-ts/Either';
import { type DomainError, domainError } from '../../domain/kernel/errors';
import { type LifeDirectory } from '../../domain/ports/directories';
import { type ObjectStore, objectStoreReason } from '../../domain/ports/object-store';
import { requestContext } from '../kit/command-context';
import {
  endExpiredInstance,
  endExpiredMapping,
  type EndExpiredPorts,
  endExpiredSnapshot,
} from '../cleanup/end-expired';
import { countDone, type Job, summarizeFailures } from './job';

export interface LifecyclePorts extends EndExpiredPorts {
  readonly directory: LifeDirectory;
  readonly objectStore: Pick<ObjectStore, 'removeUnfinished'>;
}

/** Hours after which an incomplete upload counts as abandoned. */
const UPLOAD_HOURS = 24;
const SYSTEM = { username: 'system:lifecycle', role: 'system' } as const;

/**
 * Deletes expired instances, snapshots and mappings, in this order of dependency. A snapshot usually follows in a later
 * run than its instance, because pods take time to end. Removes abandoned uploads from the object store.
 */
export const lifecycleJob = (ports: LifecyclePorts): Job => {
  const { directory, clock, ids } = ports;
  const kinds = [
    { counted: 'instances_deleted', ending: (now: Date) => directory.endingInstances(now), end: endExpiredInstance },
    { counted: 'snapshots_deleted', ending: (now: Date) => directory.endingSnapshots(now), end: endExpiredSnapshot },
    { counted: 'mappings_deleted', ending: (now: Date) => directory.endingMappings(now), end: endExpiredMapping },
  ];
  return {
    name: 'lifecycle',
    run: async ({ signal }) => {
      const failures: DomainError[] = [];
      const counts: Record<string, number> = {};
      for (const { counted, ending, end } of kinds) {
        const candidates = await ending(clock.now());
        counts[counted] = await countDone(candidates, signal, failures, (id) =>
          end(ports, id, requestContext(ids, SYSTEM, ids.uuid())),
        );
      }
      const removed = await ports.objectStore.removeUnfinished(
        new Date(clock.now().getTime() - UPLOAD_HOURS * 3_600_000),
      );
      if (isLeft(removed)) {
        const message = `Abandoned uploads could not be removed: ${objectStoreReason(removed.left)}`;
        failures.push(domainError('SERVICE_UNAVAILABLE', message));
      } else counts['uploads_removed'] = removed.right;
      return failures.length > 0 ? left(summarizeFailures(failures)) : right(counts);
    },
  };
};
