import { randomUUID } from 'node:crypto';
import { isRight } from 'fp-ts/Either';
import { newEvent } from '../../contracts/event-store/event-samples';
import { CATEGORY, openStore } from './open-store';

/** Whether an append succeeds within two seconds; it is written to an otherwise unused log. */
export const takesAppends = async (connectionString: string): Promise<boolean> => {
  // The library's own appends share a table in this process: an answer after the end of its client is an exception.
  const { store, close } = openStore({ connectionString }, { prefix: 'probe.', timeoutMs: 2_000 });
  const appended = await store.append(`${CATEGORY}-${randomUUID()}`, 'no_stream', [newEvent()]);
  await close();
  return isRight(appended);
};
