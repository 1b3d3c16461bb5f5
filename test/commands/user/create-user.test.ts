import { isLeft, isRight, left } from 'fp-ts/Either';
import { systemClock } from '../../../adapters/system/system-clock';
import { requestContext } from '../../../commands/kit/command-context';
import { bootstrap, createUser } from '../../../commands/user/change-user';
import { START } from '../../../domain/kernel/event';
import { type EventStore } from '../../../domain/ports/event-store';
import { BOOTSTRAP_STREAM, userStream } from '../../../domain/user';
import { expectLeft, expectRight } from '../../support/given-when-then';
import { createInMemoryEventStore } from '../../support/in-memory/in-memory-event-store';
import { createInMemoryIdGenerator } from '../../support/in-memory/in-memory-id-generator';

const ids = createInMemoryIdGenerator();
const portsOn = (store: EventStore) => ({ store, clock: systemClock, ids });
const context = () => requestContext(ids, { username: 'system:bootstrap', role: 'system' }, 'request');
const profile = (username: string) => ({ username, displayName: null, email: null });
const lengthOf = async (store: EventStore, stream: string) => expectRight(await store.readStream(stream)).length;

describe('the first ops user', () => {
  it('is created once, even by a hundred concurrent requests', async () => {
    const store = createInMemoryEventStore(systemClock);
    const asked = Array.from({ length: 100 }, (_, n) => bootstrap(portsOn(store), profile(`user-${n}`), context()));
    const results = await Promise.all(asked);
    expect(results.filter(isRight)).toHaveLength(1);
    for (const result of results) if (isLeft(result)) expect(result.left.code).toBe('ALREADY_EXISTS');
    const { events } = expectRight(await store.readAll(START, 1000));
    expect(events.map(({ type }) => type)).toEqual(['SystemBootstrapped', 'UserCreated']);
  });

  it('is completed by the next attempt after an interruption', async () => {
    const inner = createInMemoryEventStore(systemClock);
    const stopping: EventStore = {
      ...inner,
      append: (streamId, ...rest) =>
        streamId === BOOTSTRAP_STREAM
          ? inner.append(streamId, ...rest)
          : Promise.resolve(left({ kind: 'unavailable', reason: 'stopped' })),
    };
    expect(expectLeft(await bootstrap(portsOn(stopping), profile('olga'), context())).code).toBe('SERVICE_UNAVAILABLE');
    expect(expectLeft(await bootstrap(portsOn(inner), profile('eve'), context())).code).toBe('ALREADY_EXISTS');
    expect(await lengthOf(inner, userStream('olga'))).toBe(1);
    const [created] = expectRight(await inner.readStream(userStream('olga')));
    expect(created?.data).toEqual({ ...profile('olga'), role: 'ops' });
    expect(await lengthOf(inner, userStream('eve'))).toBe(0);
    await bootstrap(portsOn(inner), profile('eve'), context());
    expect(await lengthOf(inner, userStream('olga'))).toBe(1);
  });
});

describe('a user', () => {
  it('has a unique name, even for many concurrent requests', async () => {
    const ports = portsOn(createInMemoryEventStore(systemClock));
    const asked = Array.from({ length: 20 }, () =>
      createUser(ports, { ...profile('bob'), role: 'analyst' }, context()),
    );
    expect((await Promise.all(asked)).filter(isRight)).toHaveLength(1);
  });
});
