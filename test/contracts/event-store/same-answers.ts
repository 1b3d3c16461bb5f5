import * as fc from 'fast-check';
import { isLeft } from 'fp-ts/Either';
import { type NewEvent, type Position, START, type StoredEvent } from '../../../domain/kernel/event';
import { type EventStore, type ExpectedRevision, type ReadStreamOptions } from '../../../domain/ports/event-store';
import { newEvents, succeeded } from './event-samples';

const STREAMS = ['a-1', 'a-2', 'm-1', 'user-ada', 'mapping-7'];
const TYPES = ['Created', 'Renamed', 'Deleted'];

type Operation =
  | {
      readonly kind: 'append';
      readonly stream: number;
      readonly off: number;
      readonly count: number;
      readonly type: number;
    }
  | { readonly kind: 'repeat'; readonly which: number; readonly count: number }
  | { readonly kind: 'stream'; readonly stream: number; readonly options: ReadStreamOptions }
  | { readonly kind: 'page'; readonly after: number; readonly limit: number; readonly types: readonly string[] | null }
  | { readonly kind: 'head' };

const OPERATION: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('append' as const),
      stream: fc.nat(STREAMS.length - 1),
      // Mostly the right revision.
      off: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.integer({ min: -2, max: 2 })),
      count: fc.integer({ min: 1, max: 4 }),
      type: fc.nat(TYPES.length - 1),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('repeat' as const),
      which: fc.nat(),
      count: fc.integer({ min: 1, max: 4 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('stream' as const),
      stream: fc.nat(STREAMS.length - 1),
      options: fc.record(
        {
          fromRevision: fc.nat(20),
          direction: fc.constantFrom('forwards', 'backwards'),
          limit: fc.integer({ min: 1, max: 5 }),
        },
        { requiredKeys: [] },
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('page' as const),
      after: fc.nat(),
      limit: fc.integer({ min: 1, max: 30 }),
      types: fc.option(fc.subarray(TYPES)),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'head' as const }) },
);

/** A store under comparison: its answers identify positions by the events at them. */
class Candidate {
  private readonly eventAt = new Map<Position, string>([[START, 'the start']]);
  private readonly positions: Position[] = [START];

  constructor(readonly store: EventStore) {}

  position(index: number): Position {
    return this.positions[index % this.positions.length] ?? START;
  }

  async answer(
    operation: Operation,
    append: { streamId: string; expected: ExpectedRevision; events: readonly NewEvent[] },
  ): Promise<unknown> {
    switch (operation.kind) {
      case 'append':
      case 'repeat': {
        const outcome = await this.store.append(append.streamId, append.expected, append.events);
        if (isLeft(outcome)) return outcome.left;
        await this.learn();
        return { revision: outcome.right.revision, last: this.name(outcome.right.position) };
      }
      case 'stream': {
        const events = succeeded(await this.store.readStream(append.streamId, operation.options));
        return events.map((event) => this.plain(event));
      }
      case 'page': {
        const filter = operation.types === null ? {} : { types: operation.types };
        const page = succeeded(await this.store.readAll(this.position(operation.after), operation.limit, filter));
        return { events: page.events.map((event) => this.plain(event)), upTo: this.name(page.position) };
      }
      case 'head':
        return this.name(succeeded(await this.store.head()));
    }
  }

  /** Records the positions of new events, in order. */
  private async learn(): Promise<void> {
    const { events } = succeeded(await this.store.readAll(this.positions.at(-1) ?? START, 100));
    for (const { position, id } of events) {
      this.eventAt.set(position, id);
      this.positions.push(position);
    }
  }

  private name(position: Position): string {
    return this.eventAt.get(position) ?? `unknown position ${position}`;
  }

  private plain({ recordedAt: _, position, ...event }: StoredEvent): unknown {
    return { ...event, at: this.name(position) };
  }
}

/** An append of the run, in terms of the model in which a stream is a number of events. */
interface Past {
  readonly streamId: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly NewEvent[];
}

/**
 * Runs the same random operations on all stores: appends at right and wrong revisions, repeated earlier appends, whole
 * or only their beginning, and reads of streams and pages. Fails at the first operation with different answers.
 * Compares positions by the events at them.
 */
export const giveSameAnswers = async (
  stores: Readonly<Record<string, EventStore>>,
  run: { readonly operations: number; readonly seed: number; readonly between?: (done: number) => Promise<void> },
): Promise<void> => {
  const candidates = Object.entries(stores).map(([name, store]) => ({ name, candidate: new Candidate(store) }));
  const lengths = new Map<string, number>();
  const past: Past[] = [];
  for (const [done, operation] of fc.sample(OPERATION, { numRuns: run.operations, seed: run.seed }).entries()) {
    const append = appendOf(operation, lengths, past);
    const answers = [];
    for (const { name, candidate } of candidates)
      answers.push({ name, answer: await candidate.answer(operation, append) });
    const [first] = answers;
    for (const { name, answer } of answers) {
      expect({ done, seed: run.seed, operation, append, name, answer }).toEqual({
        ...{ done, seed: run.seed, operation, append, name },
        answer: first?.answer,
      });
    }
    if (operation.kind === 'append' && !('kind' in Object(first?.answer))) {
      lengths.set(append.streamId, (lengths.get(append.streamId) ?? 0) + append.events.length);
      past.push(append);
    }
    await run.between?.(done);
  }
};

const appendOf = (operation: Operation, lengths: ReadonlyMap<string, number>, past: readonly Past[]): Past => {
  if (operation.kind === 'repeat' && past.length > 0) {
    const { streamId, expected, events } = past[operation.which % past.length]!;
    return { streamId, expected, events: events.slice(0, operation.count) };
  }
  const streamId = STREAMS['stream' in operation ? operation.stream : 0]!;
  const revision = (lengths.get(streamId) ?? 0) - 1 + ('off' in operation ? operation.off : 9);
  const events = newEvents('off' in operation ? operation.count : 1, TYPES['type' in operation ? operation.type : 0]);
  return { streamId, expected: revision < 0 ? 'no_stream' : revision, events };
};
