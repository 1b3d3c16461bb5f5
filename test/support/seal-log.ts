import { sha256 } from '../../adapters/system/sha256';
import { sealJob } from '../../commands/jobs/seal';
import { type EventStore } from '../../domain/ports/event-store';
import { type LogSealed } from '../../domain/seals';
import { expectRight, NOON } from './given-when-then';
import { createInMemoryIdGenerator } from './in-memory/in-memory-id-generator';
import { scheduledRun } from './scheduled-run';

const ids = createInMemoryIdGenerator();

/** The job `seal` on a log, and the seals that it appended. */
export const sealJobOn = (store: EventStore) => {
  const seals: LogSealed[] = [];
  const job = sealJob({
    ...{ store, ids, sha256, clock: { now: () => NOON } },
    onSealed: (seal) => seals.push(seal),
  });
  return { seals, run: (signal?: AbortSignal) => job.run(scheduledRun(signal)) };
};

/** Seals a log; returns the hash of its newest seal of this run. */
export const sealLog = async (store: EventStore): Promise<string | undefined> => {
  const { seals, run } = sealJobOn(store);
  expectRight(await run());
  return seals.at(-1)?.hash;
};
