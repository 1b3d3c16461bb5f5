import { comparePositions, laterPosition, type Position, START } from '../../../domain/kernel/event';
import { type EventStore } from '../../../domain/ports/event-store';
import { waitFor } from '../../support/wait-for';
import { newEvent, succeeded } from './event-samples';

/**
 * Runs writers beside a reader that follows the feed, until the reader has passed the last event. Returns the written
 * events, ordered by position, and the events that the reader received, in the order it received them.
 */
export const tailBesideWriters = async (
  store: EventStore,
  load: { readonly writers: number; readonly appendsEach: number },
): Promise<{ readonly written: readonly string[]; readonly seen: readonly string[] }> => {
  const stop = new AbortController();
  const seen: string[] = [];
  let reached = START;
  const reading = (async () => {
    for await (const page of store.subscribeAll(START, { batchSize: 50, signal: stop.signal })) {
      seen.push(...page.events.map((event) => event.id));
      reached = page.position;
    }
  })();

  const written: { readonly id: string; readonly position: Position }[] = [];
  const write = async (writer: number): Promise<void> => {
    for (let i = 0; i < load.appendsEach; i += 1) {
      const event = newEvent();
      const { position } = succeeded(await store.append(`writer-${writer}_${i}`, 'no_stream', [event]));
      written.push({ id: event.id, position });
    }
  };
  await Promise.all(Array.from({ length: load.writers }, (_, writer) => write(writer)));
  const last = written.map(({ position }) => position).reduce(laterPosition, START);
  await waitFor('the reader passes the last event', () => comparePositions(reached, last) >= 0);
  stop.abort();
  await reading;
  return { written: written.sort((a, b) => comparePositions(a.position, b.position)).map(({ id }) => id), seen };
};
