import { left } from 'fp-ts/Either';
import { processInputs } from '../../../commands/processes/process-inputs';
import { type Position } from '../../../domain/kernel/event';
import { processStream } from '../../../domain/kernel/process';
import { type EventStore } from '../../../domain/ports/event-store';
import { type NewlyParked } from '../../../projections/feed/apply-events';
import { retryParked } from '../../../projections/feed/retry-parked';
import { appendEvents } from '../../projections/sample-events';
import { appendNext } from '../../support/append-next';
import { instanceRequested } from '../../support/domain-samples';
import { expectRight } from '../../support/given-when-then';
import { createInMemorySystem, type InMemorySystem } from '../../support/in-memory-system';
import { readProcessInputs } from '../../support/read-process-inputs';
import { waitFor } from '../../support/wait-for';

const processOf = (id: number) => processStream('instance_startup', String(id));
const requested = (instanceId: number) => ({ ...instanceRequested, data: { ...instanceRequested.data, instanceId } });
const stopping = (instanceId: number) => ({
  type: 'InstanceStopping',
  data: { instanceId, ownerUsername: 'ada', reason: 'deleted' },
});

describe('an event that a process cannot apply', () => {
  let system: InMemorySystem;
  let ending: AbortController;
  let running: Promise<unknown>;
  /** Streams of processes whose appends currently fail permanently. */
  const refused = new Set<string>();
  let isAway = false;
  let reported: string[];

  const store = (): EventStore => ({
    ...system.store,
    append: (streamId, ...rest) => {
      if (isAway) return Promise.resolve(left({ kind: 'unavailable', reason: 'away' } as const));
      const tooLarge = { kind: 'too_large', streamId, bytes: 2, maxBytes: 1 } as const;
      return refused.has(streamId) ? Promise.resolve(left(tooLarge)) : system.store.append(streamId, ...rest);
    },
  });
  const ports = () => ({
    ...system.ports,
    store: store(),
    onParked: (_: string, { streamId, event }: NewlyParked) => void reported.push(`${streamId} ${event.position}`),
  });
  beforeEach(() => {
    refused.clear();
    isAway = false;
    reported = [];
    system = createInMemorySystem();
    ending = new AbortController();
    running = Promise.all([1, 2].map(() => readProcessInputs(ports(), ending.signal)));
  });
  afterEach(async () => {
    ending.abort();
    await running;
  });

  const happens = (instanceId: number, ...events: Parameters<typeof appendEvents>[2]) =>
    appendEvents(system.store, `instance-${instanceId}`, events);
  const caughtUp = async (): Promise<void> => {
    const idle = async () =>
      (await system.ports.checkpoints.load('processes')) === expectRight(await system.store.head());
    await waitFor('the processes have handled every event', idle);
  };
  const inputsOf = async (id: number): Promise<readonly unknown[]> =>
    expectRight(await system.store.readStream(processOf(id)))
      .filter(({ type }) => type === 'ProcessInputReceived')
      .map(({ data }) => (data as { readonly input: { readonly type: string } }).input.type);
  const retry = (streamId: string, skip: Position | null = null) =>
    retryParked(processInputs(ports()), system.store, streamId, skip);
  const parked = () => system.parked.all().map(({ streamId, event }) => `${streamId} ${event.type}`);

  it('is parked together with the later ones of its process; other processes continue', async () => {
    refused.add(processOf(7));
    await happens(7, requested(7), stopping(7));
    await happens(8, requested(8), stopping(8));
    await caughtUp();
    expect(parked()).toEqual([`${processOf(7)} InstanceRequested`, `${processOf(7)} InstanceStopping`]);
    expect(await inputsOf(8)).toEqual(['InstanceRequested', 'InstanceStopping']);
    expect(new Set(reported)).toEqual(new Set([`${processOf(7)} 1`]));

    expect(expectRight(await retry(processOf(7)))).toMatchObject({ applied: 0 });
    expect(system.parked.all()[0]).toMatchObject({ attempts: 5, error: expect.stringContaining('bytes') as string });
    refused.clear();
    expect(expectRight(await retry(processOf(7)))).toEqual({ applied: 2, error: null });
    expect(await inputsOf(7)).toEqual(['InstanceRequested', 'InstanceStopping']);
    expect(parked()).toEqual([]);
  });

  it('can be skipped', async () => {
    refused.add(processOf(7));
    await happens(7, requested(7), stopping(7));
    await caughtUp();
    refused.clear();
    const [first] = system.parked.all();
    const skipped = await retry(processOf(7), first!.event.position);
    expect(expectRight(skipped)).toEqual({ applied: 1, error: null });
    expect(await inputsOf(7)).toEqual(['InstanceStopping']);
  });

  it('invalid data parks the rest of its own stream, since its process is unknown', async () => {
    await happens(7, { type: 'InstanceRequested', data: { instanceId: 'seven' } }, stopping(7));
    await happens(8, requested(8));
    await caughtUp();
    expect(parked()).toEqual(['instance-7 InstanceRequested', 'instance-7 InstanceStopping']);
    expect(await inputsOf(8)).toEqual(['InstanceRequested']);
    const [first] = system.parked.all();
    expect(expectRight(await retry('instance-7'))).toMatchObject({ applied: 0 });
    const skipped = await retry('instance-7', first!.event.position);
    expect(expectRight(skipped)).toEqual({ applied: 1, error: null });
    expect(await inputsOf(7)).toEqual(['InstanceStopping']);
  });

  it('is retried and not parked when the store is unavailable or the event needs a newer version', async () => {
    isAway = true;
    await happens(7, requested(7));
    await waitFor('the process has failed once', () => system.trouble.length > 0);
    isAway = false;
    await caughtUp();
    const before = system.trouble.length;
    const { commandId, correlationId, causationId } = system.context();
    const metadata = { commandId, correlationId, causationId, actor: 'ada', role: 'analyst', occurredAt: '' };
    const newer = { ...stopping(7), id: system.ids.uuid(), schemaVersion: 99, metadata };
    expectRight(await appendNext(system.store, 'instance-7', [newer]));
    await waitFor('the processes have failed again', () => system.trouble.length > before);
    expect(await inputsOf(7)).toEqual(['InstanceRequested']);
    expect(parked()).toEqual([]);
  });
});
