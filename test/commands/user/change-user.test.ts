import fc from 'fast-check';
import { isLeft, isRight } from 'fp-ts/Either';
import { systemClock } from '../../../adapters/system/system-clock';
import { users } from '../../../commands/kit/aggregates';
import { requestContext } from '../../../commands/kit/command-context';
import { loadStream } from '../../../commands/kit/load-stream';
import { changeUser, createUser } from '../../../commands/user/change-user';
import { type EventStore } from '../../../domain/ports/event-store';
import { type ChangeUser, isActiveOps, userStream } from '../../../domain/user';
import { expectLeft, expectRight } from '../../support/given-when-then';
import { createInMemoryEventStore } from '../../support/in-memory/in-memory-event-store';
import { createInMemoryIdGenerator } from '../../support/in-memory/in-memory-id-generator';

const NAMES = ['olaf', 'olga', 'otto', 'oona', 'omar'];

const systemWithOps = async (names: readonly string[]) => {
  const ids = createInMemoryIdGenerator();
  const store = createInMemoryEventStore(systemClock);
  const ports = { store, clock: systemClock, ids, findOpsUsernames: () => Promise.resolve(names) };
  const context = () => requestContext(ids, { username: 'olaf', role: 'ops' }, 'request');
  for (const username of names) {
    await createUser(ports, { username, displayName: null, email: null, role: 'ops' }, context());
  }
  const stateOf = async (username: string) =>
    expectRight(await loadStream({ store }, users, userStream(username))).state;
  return {
    ports,
    change: (command: ChangeUser) => changeUser(ports, command, context()),
    activeOps: async () => (await Promise.all(names.map(stateOf))).filter(isActiveOps),
  };
};

const demote = (username: string): ChangeUser => ({ type: 'ChangeRole', username, role: 'admin' });
const waysToGo: readonly ((username: string) => ChangeUser)[] = [
  demote,
  (username) => ({ type: 'DeactivateUser', username }),
  (username) => ({ type: 'UpdateUser', username, isActive: false }),
];

describe('the last active ops user', () => {
  it.each(waysToGo.map((way) => [way('olaf')] as const))('is not removed by %j', async (command) => {
    const { change, activeOps } = await systemWithOps(['olaf']);
    expect(expectLeft(await change(command))).toMatchObject({ code: 'INVALID_STATE', details: { username: 'olaf' } });
    expect(await activeOps()).toHaveLength(1);
  });

  it('is exactly one when all are demoted at the same time', async () => {
    for (let round = 0; round < 20; round++) {
      const { change, activeOps } = await systemWithOps(NAMES);
      const asked = NAMES.map((name, index) => change((waysToGo[(index + round) % 3] ?? demote)(name)));
      const results = await Promise.all(asked);
      expect(results.filter(isRight)).toHaveLength(NAMES.length - 1);
      for (const result of results) if (isLeft(result)) expect(result.left.code).toBe('INVALID_STATE');
      expect(await activeOps()).toHaveLength(1);
    }
  });

  it('remains after any changes in any interleaving', async () => {
    const names = NAMES.slice(0, 3);
    const username = fc.constantFrom(...names);
    const change: fc.Arbitrary<ChangeUser> = fc.oneof(
      fc.record({ type: fc.constant('DeactivateUser' as const), username }),
      fc.record({ type: fc.constant('UpdateUser' as const), username, isActive: fc.boolean() }),
      fc.record({ type: fc.constant('ChangeRole' as const), username, role: fc.constantFrom('admin', 'ops') }),
    );
    const changes = fc.array(change, { minLength: 2, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), changes, async (scheduler, commands) => {
        const { ports, change: changeAtOnce, activeOps } = await systemWithOps(names);
        const { readStream, append } = ports.store;
        const store: EventStore = {
          ...ports.store,
          readStream: scheduler.scheduleFunction(readStream),
          append: scheduler.scheduleFunction(append),
        };
        const context = () => requestContext(ports.ids, { username: 'olaf', role: 'ops' }, 'request');
        const asked = commands.map((command) => changeUser({ ...ports, store }, command, context()));
        await scheduler.waitFor(Promise.all(asked));
        expect((await activeOps()).length).toBeGreaterThan(0);
        await Promise.all(names.map((name) => changeAtOnce(demote(name))));
        expect((await activeOps()).length).toBeGreaterThan(0);
      }),
    );
  });

  it('may be demoted as soon as another one is active again', async () => {
    const { change, activeOps } = await systemWithOps(['olaf', 'olga']);
    expectRight(await change({ type: 'DeactivateUser', username: 'olga' }));
    expectLeft(await change(demote('olaf')));
    expectRight(await change({ type: 'UpdateUser', username: 'olga', isActive: true }));
    expectRight(await change(demote('olaf')));
    expect(await activeOps()).toMatchObject([{ username: 'olga' }]);
  });

  it('is still the last one when another user is ops in an outdated list only', async () => {
    const { change, ports } = await systemWithOps(['olaf']);
    const findOpsUsernames = () => Promise.resolve(['olaf', 'nobody']);
    const context = requestContext(ports.ids, { username: 'olaf', role: 'ops' }, 'request');
    expect(expectLeft(await changeUser({ ...ports, findOpsUsernames }, demote('olaf'), context)).code).toBe(
      'INVALID_STATE',
    );
    expect(isLeft(await change(demote('olaf')))).toBe(true);
  });
});
