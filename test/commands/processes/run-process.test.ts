import fc from 'fast-check';
import { left } from 'fp-ts/Either';
import { processCommandOutcome, processTimer } from '../../../commands/processes/run-process';
import { domainError } from '../../../domain/kernel/errors';
import { type DomainEvent, type Position, type StoredEvent } from '../../../domain/kernel/event';
import { processStream } from '../../../domain/kernel/process';
import { appendNext } from '../../support/append-next';
import { instanceRequested, instanceStopping } from '../../support/domain-samples';
import { giveToProcesses } from '../../support/give-to-processes';
import { expectLeft, expectRight } from '../../support/given-when-then';
import { createInMemorySystem, type InMemorySystem } from '../../support/in-memory-system';

const STREAM = processStream('instance_startup', '7');

describe('running a process', () => {
  let system: InMemorySystem;
  beforeEach(() => {
    system = createInMemorySystem();
  });

  const happens = async (...events: readonly DomainEvent[]): Promise<readonly StoredEvent[]> => {
    const { commandId, correlationId, causationId } = system.context();
    const metadata = { commandId, correlationId, causationId, actor: 'ada', role: 'analyst', occurredAt: '2026' };
    const stored = events.map((event) => ({ ...event, id: system.ids.uuid(), schemaVersion: 1, metadata }));
    expectRight(await appendNext(system.store, 'instance-7', stored));
    return expectRight(await system.store.readStream('instance-7')).slice(-events.length);
  };
  const slotReserved = { type: 'SlotReserved', data: { instanceId: 7, ownerUsername: 'ada' } };
  const deliver = async (event: StoredEvent) => expectRight(await giveToProcesses(system, event));

  it('records an input with all its results in one append, under the correlation of the cause', async () => {
    const [event] = await happens(instanceRequested);
    await deliver(event!);
    const events = expectRight(await system.store.readStream(STREAM));
    expect(events.map(({ type }) => type)).toEqual(['ProcessInputReceived', 'ProcessCommandQueued', 'ProcessTimerSet']);
    expect(events.map(({ metadata }) => metadata.correlationId)).toEqual(
      Array<string>(3).fill(event!.metadata.correlationId),
    );
  });

  it('applies an event once, even when two runners deliver it at the same time', async () => {
    const [event] = await happens(instanceRequested);
    await Promise.all([deliver(event!), deliver(event!), deliver(event!)]);
    await deliver(event!);
    expect(await system.typesOf(STREAM)).toHaveLength(3);
  });

  it('recognises an input by its id wherever it is', async () => {
    const [event] = await happens(instanceRequested);
    await deliver(event!);
    await deliver({ ...event!, position: '4711' as Position });
    expect(await system.typesOf(STREAM)).toHaveLength(3);
    const [received] = expectRight(await system.store.readStream(STREAM));
    expect(received!.data).toMatchObject({ inputId: event!.id });
  });

  it('stops at an input that this version cannot read', async () => {
    const [event] = await happens({ type: 'InstanceRequested', data: { instanceId: 'seven' } });
    expect(expectLeft(await giveToProcesses(system, event!)).code).toBe('INTERNAL_ERROR');
  });

  it('fires a timer once, and not after it was cancelled or set again', async () => {
    const [reserved, requested] = await happens(slotReserved, instanceRequested);
    await deliver(reserved!);
    const [reservation] = await system.work.timers();
    await deliver(requested!);
    expectRight(await processTimer(system, reservation!));
    expect(await system.typesOf(STREAM)).toHaveLength(2 + 4);

    const [snapshot] = await system.work.timers();
    await Promise.all([processTimer(system, snapshot!), processTimer(system, snapshot!)]);
    const types = await system.typesOf(STREAM);
    expect(types.slice(6)).toEqual(['ProcessTimerCleared', 'ProcessCommandQueued']);
  });

  it('receives the end of a command once', async () => {
    const [event] = await happens(instanceRequested);
    await deliver(event!);
    const [due] = await system.work.takeDueCommands(10, 60);
    const refused = left(domainError('INVALID_STATE', 'because'));
    await Promise.all([processCommandOutcome(system, due!, refused), processCommandOutcome(system, due!, refused)]);
    expect((await system.typesOf(STREAM)).slice(3)).toEqual(['ProcessCommandDone', 'ProcessCommandQueued']);
  });

  it('ends in the same state whatever inputs are delivered again', async () => {
    const story = [slotReserved, instanceRequested, instanceStopping];
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: 2 }), { maxLength: 10 }), async (repeats) => {
        system = createInMemorySystem();
        const events = await happens(...story);
        for (const [index, event] of events.entries()) {
          await deliver(event);
          for (const again of repeats) if (again <= index) await deliver(events[again]!);
        }
        expect(await system.typesOf(STREAM)).toEqual([
          ...['ProcessInputReceived', 'ProcessTimerSet'],
          ...['ProcessInputReceived', 'ProcessTimerCleared', 'ProcessCommandQueued', 'ProcessTimerSet'],
          ...['ProcessInputReceived', 'ProcessTimerCleared'],
          ...['ProcessCommandQueued', 'ProcessCommandQueued', 'ProcessCommandQueued'],
        ]);
      }),
      { numRuns: 30 },
    );
  });
});
