import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type DomainError, unavailable } from '../../domain/kernel/errors';
import { type LifeDirectory } from '../../domain/ports/life-directory';
import { requestContext } from '../kit/command-context';
import {
  endExpiredInstance,
  endExpiredMapping,
  type EndExpiredPorts,
  endExpiredSnapshot,
} from '../cleanup/end-expired';
import { type Job, type JobRun } from './job';
import { summarizeFailures } from './summarize-failures';

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
    run: async (run) => {
      const failures: DomainError[] = [];
      const counts: Record<string, number> = {};
      for (const { counted, ending, end } of kinds) {
        const candidates = await ending(clock.now());
        counts[counted] = await endAll(candidates, run, failures, (id) =>
          end(ports, id, requestContext(ids, SYSTEM, ids.uuid())),
        );
      }
      return failures.length > 0 ? left(summarizeFailures(failures)) : right(counts);
    },
  };
};

/** How many have ended. One that cannot be ended does not keep the others. */
const endAll = async (
  candidates: readonly number[],
  { signal }: JobRun,
  failures: DomainError[],
  end: (id: number) => Promise<Either<DomainError, boolean>>,
): Promise<number> => {
  let ended = 0;
  for (const id of candidates) {
    if (signal.aborted) break;
    const outcome = await end(id).catch((error: unknown) => left(unavailable('A store', String(error))));
    if (isLeft(outcome)) failures.push(outcome.left);
    else if (outcome.right) ended += 1;
  }
  return ended;
};
