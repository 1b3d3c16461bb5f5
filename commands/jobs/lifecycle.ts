import { left, right } from 'fp-ts/Either';
import { type DomainError } from '../../domain/kernel/errors';
import { type LifeDirectory } from '../../domain/ports/directories';
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
}

const SYSTEM = { username: 'system:lifecycle', role: 'system' } as const;

/**
 * Ends instances, snapshots and mappings whose lives are over, in this order: what depends goes before what it depends
 * on, mostly in a later run, because pods take their time to end.
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
      return failures.length > 0 ? left(summarizeFailures(failures)) : right(counts);
    },
  };
};
