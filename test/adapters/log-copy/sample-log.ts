import { pagesOf } from '../../../adapters/log-copy/log-pages';
import { canonicalJson, type LoggedEvent } from '../../../domain/kernel/canonical-event';
import { type EventStore } from '../../../domain/ports/event-store';
import { newEvent, succeeded } from '../../contracts/event-store/event-samples';
import { createInMemoryEventStore } from '../../support/in-memory/in-memory-event-store';

export const emptyLog = (): EventStore => createInMemoryEventStore({ now: () => new Date() });

const TEXTS = ['', 'plain', 'two\nlines', 'a\u2028line', '"quoted"', 'ü€𝄞', 'x'.repeat(3_000)];

/** Appends to a few streams in turn, with all kinds of JSON values. */
export const fillLog = async (store: EventStore, appends: number, random: () => number): Promise<void> => {
  const revisions = new Map<string, number>();
  for (let n = 0; n < appends; n++) {
    const streamId = `mapping-${Math.floor(random() ** 2 * 40) + 1}`;
    const events = Array.from({ length: 1 + Math.floor(random() ** 3 * 6) }, () =>
      newEvent('ThingHappened', {
        zebra: TEXTS[Math.floor(random() * TEXTS.length)],
        10: [random() * 1e9, null, { b: -1.5e-7, a: true }],
        2: 'two',
      }),
    );
    const revision = revisions.get(streamId);
    const appended = succeeded(await store.append(streamId, revision ?? 'no_stream', events));
    revisions.set(streamId, appended.revision);
  }
};

/** The complete content of a log, as its copies must have it. */
export const contentOf = async (store: EventStore): Promise<readonly string[]> => {
  const lines: string[] = [];
  for await (const page of pagesOf('the log', store)) lines.push(...succeeded(page).map(canonicalJson));
  return lines;
};

export const eventsOf = async (store: EventStore): Promise<readonly LoggedEvent[]> => {
  const events: LoggedEvent[] = [];
  for await (const page of pagesOf('the log', store)) events.push(...succeeded(page));
  return events;
};
