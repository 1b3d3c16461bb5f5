import { isRight } from 'fp-ts/Either';
import { systemClock } from '../../../adapters/system/system-clock';
import { apiKeysOfUsers } from '../../../commands/kit/aggregates';
import { requestContext } from '../../../commands/kit/command-context';
import { loadStream } from '../../../commands/kit/load-stream';
import { bootstrap, changeApiKeys, changeUser, createUser } from '../../../commands/user/change-user';
import { apiKeysStream } from '../../../domain/api-keys';
import { type Role } from '../../../domain/kernel/decider';
import { type EventStore } from '../../../domain/ports/event-store';
import { type UserRole, userStream } from '../../../domain/user';
import { expectLeft, expectRight } from '../../support/given-when-then';
import { createInMemoryEventStore } from '../../support/in-memory/in-memory-event-store';
import { createInMemoryIdGenerator } from '../../support/in-memory/in-memory-id-generator';

/** A system with the analyst ada; `changes` may replace functions of the store. */
const systemWithAda = async (changes: (store: EventStore) => Partial<EventStore> = () => ({})) => {
  const ids = createInMemoryIdGenerator();
  const inner = createInMemoryEventStore(systemClock);
  const store = { ...inner, ...changes(inner) };
  const base = { clock: systemClock, ids, findOpsUsernames: () => Promise.resolve(['olivia']) };
  const ports = { ...base, store };
  const by = (username: string, role: Role) => requestContext(ids, { username, role }, 'request');
  const ofAda = { username: 'ada', displayName: null, email: null };
  expectRight(await createUser(ports, { ...ofAda, role: 'analyst' }, by('olivia', 'ops')));
  const create = (keyId: string, username: string, role: Role, createdWith?: string) => {
    const key = { username: 'ada', keyId, name: `key ${keyId}`, hash: 'hash', expiresAt: null, createdWith };
    return changeApiKeys(ports, 'ada', (user) => ({ type: 'CreateApiKey', ...key, user }), by(username, role));
  };
  return {
    create,
    revoke: (keyId: string) =>
      changeApiKeys(
        ports,
        'ada',
        (user) => ({ type: 'RevokeApiKey', username: 'ada', keyId, user }),
        by('ada', 'analyst'),
      ),
    changeRole: (role: UserRole, store: EventStore = inner) =>
      changeUser({ ...base, store }, { type: 'ChangeRole', username: 'ada', role }, by('olivia', 'ops')),
    bootstrapAda: () => bootstrap({ ...base, store: inner }, ofAda, by('system:bootstrap', 'system')),
    keyIds: async () => [
      ...expectRight(await loadStream({ store: inner }, apiKeysOfUsers, apiKeysStream('ada'))).state.keys.keys(),
    ],
  };
};

describe('a promotion', () => {
  it('a promotion revokes the keys that another user created, and returns them', async () => {
    const { create, changeRole, keyIds } = await systemWithAda();
    expectRight(await create('own', 'ada', 'analyst'));
    expectRight(await create('server', 'system:cli', 'system'));
    expectRight(await create('annas', 'anna', 'admin'));
    const { revokedKeys } = expectRight(await changeRole('admin'));
    expect(revokedKeys).toEqual([{ id: 'annas', name: 'key annas', created_by: 'anna' }]);
    expect(await keyIds()).toEqual(['own', 'server']);
    expectRight(await create('annas second', 'anna', 'admin'));
    expect(expectRight(await changeRole('ops')).revokedKeys.map(({ id }) => id)).toEqual(['annas second']);
    expect(expectLeft(await create('annas third', 'anna', 'admin')).code).toBe('FORBIDDEN');
    expect(await keyIds()).toEqual(['own', 'server']);
  });

  it('a promotion revokes keys that were created with the key of another user, even if that is revoked', async () => {
    const { create, changeRole, keyIds, revoke } = await systemWithAda();
    expectRight(await create('server', 'system:cli', 'system'));
    expectRight(await create('own', 'ada', 'analyst', 'server'));
    expectRight(await create('annas', 'anna', 'admin'));
    expectRight(await create('second', 'ada', 'analyst', 'annas'));
    expectRight(await create('third', 'ada', 'analyst', 'second'));
    expectRight(await revoke('annas'));
    expect(expectRight(await changeRole('ops')).revokedKeys.map(({ id }) => id)).toEqual(['second', 'third']);
    expect(await keyIds()).toEqual(['server', 'own']);
  });

  it('the promotion of an existing user to the first ops user does so too', async () => {
    const { create, bootstrapAda, keyIds } = await systemWithAda();
    expectRight(await create('annas', 'anna', 'admin'));
    expectRight(await bootstrapAda());
    expect(await keyIds()).toEqual([]);
  });

  it('a demotion keeps all keys', async () => {
    const { create, changeRole, keyIds } = await systemWithAda();
    await changeRole('admin');
    expectRight(await create('annas', 'anna', 'admin'));
    expect(expectRight(await changeRole('analyst')).revokedKeys).toEqual([]);
    expectRight(await create('annas second', 'anna', 'admin'));
    expect(await keyIds()).toEqual(['annas', 'annas second']);
  });

  it('a promotion while an admin creates a key leaves no key of the admin', async () => {
    let promote: (() => Promise<unknown>) | null = null;
    const system = await systemWithAda(({ readStream }) => ({
      readStream: async (...args) => {
        const read = await readStream(...args);
        if (args[0] === userStream('ada')) {
          const run = promote;
          promote = null;
          expect(run === null || isRight((await run()) as never)).toBe(true);
        }
        return read;
      },
    }));
    promote = () => system.changeRole('ops');
    expect(expectLeft(await system.create('late', 'anna', 'admin')).code).toBe('CONFLICT');
    expect(expectLeft(await system.create('later', 'anna', 'admin')).code).toBe('FORBIDDEN');
    expect(await system.keyIds()).toEqual([]);
    expectRight(await system.create('own', 'ada', 'ops'));
  });
});
