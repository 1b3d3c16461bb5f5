import { right } from 'fp-ts/Either';
import { copyLog } from '../../adapters/log-copy/copy-log';
import { pagesOf } from '../../adapters/log-copy/log-pages';
import { sha256 } from '../../adapters/system/sha256';
import { type Position, type StoredEvent } from '../../domain/kernel/event';
import { type EventStore } from '../../domain/ports/event-store';
import { type LogSealed, SEALS_STREAM } from '../../domain/seals';
import { createRandom } from '../../pod/graph/algorithms/graph/random';
import { verifySeals } from '../../projections/verify';
import { emptyLog, fillLog } from '../adapters/log-copy/sample-log';
import { newEvent, newEvents, succeeded } from '../contracts/event-store/event-samples';
import { sealLog } from '../support/seal-log';

const verified = (store: Pick<EventStore, 'readAll' | 'readStream'>, expectedSeal: string | null = null) =>
  verifySeals({ store, sha256, expectedSeal });

/** A log of any events in any order, as a store that was changed from outside returns it. */
const storeOf = (events: readonly StoredEvent[]): Pick<EventStore, 'readAll' | 'readStream'> => {
  const log = events.map((event, n) => ({ ...event, position: String(n + 1) as Position }));
  return {
    readAll: (after, limit) => {
      const page = log.slice(Number(after), Number(after) + limit);
      return Promise.resolve(right({ events: page, position: page.at(-1)?.position ?? after }));
    },
    readStream: (streamId, { fromRevision = 0, limit } = {}) => {
      const stream = log.filter((event) => event.streamId === streamId && event.revision >= fromRevision);
      return Promise.resolve(right(stream.toSorted((a, b) => a.revision - b.revision).slice(0, limit)));
    },
  };
};

const eventsOf = async (store: EventStore): Promise<readonly StoredEvent[]> => {
  const events: StoredEvent[] = [];
  for await (const page of pagesOf('the log', store)) events.push(...succeeded(page));
  return events;
};

/** A log with twelve seals and a part after the last of them. */
const sealedLog = async (): Promise<readonly StoredEvent[]> => {
  const store = emptyLog();
  for (let part = 0; part < 12; part++) {
    await fillLog(prefixed(store, part), 8, createRandom(part));
    await sealLog(store);
  }
  await fillLog(prefixed(store, 12), 10, createRandom(12));
  return eventsOf(store);
};

/** Writes each part to streams of its own. */
const prefixed = (store: EventStore, part: number): EventStore => ({
  ...store,
  append: (streamId, ...rest) => store.append(`${streamId}_${part}`, ...rest),
});

/** Index of the last sealed event. */
const sealedEnd = (events: readonly StoredEvent[]): number => {
  const last = events.findLast(({ streamId }) => streamId === SEALS_STREAM)?.data as LogSealed;
  return events.findIndex(({ id }) => id === last.lastEventId);
};

type Manipulation = (events: StoredEvent[], at: number, random: () => number) => number;

const changing =
  (change: (event: StoredEvent, random: () => number, events: readonly StoredEvent[]) => Partial<StoredEvent>) =>
  (events: StoredEvent[], at: number, random: () => number): number => {
    const event = events[at];
    if (event === undefined) throw new Error(`Expected an event at ${at}.`);
    events[at] = { ...event, ...change(event, random, events) };
    return at;
  };

const METADATA = ['commandId', 'correlationId', 'causationId', 'actor', 'role', 'occurredAt'] as const;

/** Each changes a log in place; returns the index of the first event that differs. */
const MANIPULATIONS: Readonly<Record<string, Manipulation>> = {
  'changed data': changing(({ data }, random) => {
    const [key, value] =
      Object.entries(data as object)[Math.floor(random() * Object.keys(data as object).length)] ?? [];
    return { data: { ...(data as object), [key ?? '']: [value] } };
  }),
  'an added field': changing(({ data }) => ({ data: { ...(data as object), added: null } })),
  'changed metadata': changing(({ metadata }, random) => {
    const field = METADATA[Math.floor(random() * METADATA.length)] ?? 'actor';
    return { metadata: { ...metadata, [field]: `${metadata[field]}x` } };
  }),
  'a changed type': changing(({ type }) => ({ type: `${type}Not` })),
  'a changed version': changing(({ schemaVersion }) => ({ schemaVersion: schemaVersion + 1 })),
  'another id': changing(() => ({ id: newEvent().id })),
  'a changed revision': changing(({ revision }) => ({ revision: revision + 1 })),
  'an event in another stream': changing(({ streamId }) => ({ streamId: `${streamId}0` })),
  'a removed event': (events, at) => {
    events.splice(at, 1);
    return at;
  },
  'an inserted event': (events, at, random) => {
    const model = events[Math.floor(random() * events.length)];
    if (model === undefined) throw new Error('Expected an event to copy.');
    events.splice(at, 0, random() < 0.5 ? model : { ...model, id: newEvent().id });
    return at;
  },
  'two swapped events': (events, at, random) => {
    const other = random() < 0.5 ? Math.min(at + 1, events.length - 1) : Math.floor(random() * events.length);
    const [one, two] = [events[at], events[other]];
    if (one === undefined || two === undefined) throw new Error('Expected two events.');
    [events[at], events[other]] = [two, one];
    return at === other ? events.length : Math.min(at, other);
  },
};

describe('the seals of a log', () => {
  it('show 1,000 manipulations of a copy, up to the unsealed part, which is named', async () => {
    const events = await sealedLog();
    const end = sealedEnd(events);
    const whole = await verified(storeOf(events));
    expect(whole).toMatchObject({ ok: true, seals: { count: 12, unsealed_from: String(end + 3) } });
    const random = createRandom(44);
    const kinds = Object.entries(MANIPULATIONS);
    const outcomes = { found: 0, unsealed: 0 };
    for (let n = 0; n < 1000; n++) {
      const [name, manipulate] = kinds[n % kinds.length] ?? [];
      const changed = [...events];
      const at = manipulate?.(changed, Math.floor(random() * changed.length), random) ?? 0;
      const { ok, seals, differences } = await verified(storeOf(changed));
      const context = { n, name, at };
      if (at <= end) {
        expect({ ...context, ok, isNamed: differences.every(({ kind }) => kind === 'seal') }).toEqual({
          ...context,
          ...{ ok: false, isNamed: true },
        });
        outcomes.found += 1;
      } else if (at >= end + 2) {
        // The event before is the last seal.
        expect({ ...context, from: Number(seals.unsealed_from) }).toEqual({ ...context, from: end + 3 });
        outcomes.unsealed += 1;
      }
    }
    expect(outcomes.found).toBeGreaterThan(700);
    expect(outcomes.unsealed).toBeGreaterThan(50);
  });

  it.each([
    [
      'a changed event',
      'hash',
      (events: StoredEvent[]) => void changing(() => ({ type: 'Other' }))(events, 1, Math.random),
    ],
    ['a removed event', 'count', (events: StoredEvent[]) => void events.splice(1, 1)],
    ['a missing last event', 'lastEventId', (events: StoredEvent[]) => void events.splice(2, 1)],
  ])('name the seal that does not hold for %s, and hold for all others', async (_what, column, manipulate) => {
    const store = emptyLog();
    for (const part of [1, 2, 3]) {
      succeeded(await store.append(`mapping-${part}`, 'no_stream', newEvents(3)));
      await sealLog(store);
    }
    const events = [...(await eventsOf(store))];
    manipulate(events);
    const { differences, seals } = await verified(storeOf(events));
    expect(differences).toContainEqual(expect.objectContaining({ kind: 'seal', key: 'seals-cluster@0', column }));
    expect(new Set(differences.map(({ key }) => key))).toEqual(new Set(['seals-cluster@0']));
    expect(seals).toMatchObject({ count: 3, last: { number: 3 }, unsealed_from: null });
  });

  it('show a rewritten log with new seals only to the owner of a seal that is stored elsewhere', async () => {
    const [log, forged] = [emptyLog(), emptyLog()];
    const [first, second, third] = newEvents(3);
    if (first === undefined || second === undefined || third === undefined) throw new Error('Expected three events.');
    succeeded(await log.append('mapping-1', 'no_stream', [first, second]));
    const stored = (await sealLog(log)) ?? '';
    succeeded(await log.append('mapping-1', 1, [third]));
    await sealLog(log);
    expect(await verified(log, stored)).toMatchObject({ ok: true, seals: { count: 2 } });

    succeeded(await forged.append('mapping-1', 'no_stream', [first, { ...second, data: { n: 7 } }]));
    const other = await sealLog(forged);
    succeeded(await forged.append('mapping-1', 1, [third]));
    const newest = await sealLog(forged);
    expect(await verified(forged)).toMatchObject({ ok: true, seals: { count: 2, last: { hash: newest } } });
    expect(await verified(forged, stored)).toMatchObject({
      ok: false,
      differences: [{ kind: 'seal', key: null, column: 'hash', expected: stored, actual: newest }],
    });
    expect(await verified(forged, other ?? '')).toMatchObject({ ok: true });
  });

  it('hold in a copy of the log, which is sealed further', async () => {
    const [source, target] = [emptyLog(), emptyLog()];
    await fillLog(source, 50, createRandom(5));
    const stored = (await sealLog(source)) ?? '';
    const names = { source: 'the source', target: 'the target' };
    succeeded(await copyLog({ source: pagesOf('the source', source), target, names }));
    expect(await verified(target, stored)).toMatchObject({ ok: true, seals: { count: 1, unsealed_from: null } });
    succeeded(await target.append('user-1', 'no_stream', newEvents(2)));
    await sealLog(target);
    expect(await verified(target, stored)).toMatchObject({ ok: true, seals: { count: 2, unsealed_from: null } });
  });

  it('are not missed when they are written during the check', async () => {
    const store = emptyLog();
    for (let n = 1; n <= 1005; n++) {
      succeeded(await store.append(`mapping-${n}`, 'no_stream', newEvents(1)));
      await sealLog(store);
    }
    const part = await eventsOf(store);
    const { readStream } = storeOf(part);
    const before = storeOf(part.slice(0, -4));
    expect(await verified(store)).toMatchObject({ ok: true, seals: { count: 1005, unsealed_from: null } });
    expect(await verified({ ...before, readStream })).toMatchObject({ ok: true, seals: { count: 1003 } });
  });

  it('are none in an empty log', async () => {
    expect(await verified(emptyLog())).toEqual({
      ...{ ok: true, position: '0', differences: [] },
      seals: { count: 0, last: null, unsealed_from: null },
    });
    expect(await verified(emptyLog(), 'a'.repeat(64))).toMatchObject({ ok: false });
  });
});
