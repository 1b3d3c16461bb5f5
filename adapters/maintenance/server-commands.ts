import { isLeft, left, right } from 'fp-ts/Either';
import { type Pool } from 'pg';
import { type CommandPorts, requestContext } from '../../commands/kit/command-context';
import { bootstrap } from '../../commands/user/change-user';
import { handedOutKeyExpiry } from '../../domain/api-keys';
import { fieldErrors } from '../../domain/kernel/codecs';
import { type EventStore } from '../../domain/ports/event-store';
import { rebuildProjections } from '../../projections/rebuild';
import { projections } from '../../projections/registry';
import { type LocalContext, type Outcome } from '../cli/action';
import { failed, usageError } from '../cli/failure';
import { tableOf } from '../cli/output';
import { Username } from '../http/kit';
import { issueApiKey } from '../http/public/api-key/handlers';
import { createPostgresIdGenerator } from '../postgres/postgres-id-generator';
import { createPostgresLeaseStore } from '../postgres/postgres-lease-store';
import { systemClock } from '../system/system-clock';
import { withEventStore } from './find-database';
import { replayProgress } from './replay-progress';

const READ_MODELS = projections.filter(({ tables }) => tables !== '');

/** Rebuilds one or all read models from the log; the current ones remain in use meanwhile. */
export const rebuild = async (name: string, { terminal, environment }: LocalContext): Outcome => {
  const chosen = READ_MODELS.filter((one) => name === 'all' || one.name === name);
  if (chosen.length === 0) {
    const names = READ_MODELS.map((one) => one.name).join(', ');
    return left(usageError(`Unknown read model "${name}"; expected all, or one of ${names}.`));
  }
  return withEventStore(
    environment,
    0,
    (reason) => `The rebuild failed: ${reason}`,
    async (pool, store) => {
      const startedAt = performance.now();
      const ports = { pool, store, leases: createPostgresLeaseStore(pool) };
      const onPage = replayProgress(await store.head(), terminal.errors, 'building indexes');
      const { events, parked } = await rebuildProjections(ports, chosen, { onPage, signal: terminal.interrupted() });
      for (const { event, error } of [...parked.values()].flat()) {
        terminal.errors.write(`${event.streamId} is parked from position ${event.position}: ${error}\n`);
      }
      const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
      const done = chosen.map((projection) => {
        return { name: projection.name, events, parked: parked.get(projection)?.length ?? 0, seconds };
      });
      const table = tableOf(done, {
        'read model': 'name',
        events: 'events',
        'parked streams': 'parked',
        seconds: 'seconds',
      });
      return right({ data: done, table });
    },
  );
};

const problem = (reason: string): string => `It could not be created: ${reason}. Is the system running?`;

const ACTOR = { username: 'system:cli', role: 'system' } as const;

const portsOn = (pool: Pool, store: EventStore) => ({
  store,
  clock: systemClock,
  ids: createPostgresIdGenerator(pool),
});

/** Creates the first user, with the role ops, without the API. */
export const firstUser = (username: string, { environment }: LocalContext): Outcome =>
  withEventStore(environment, 60_000, problem, async (pool, store, { identityMode }) => {
    const decoded = Username.decode(username);
    if (isLeft(decoded)) {
      const rules = fieldErrors(decoded.left).map(({ message }) => message);
      return left(usageError(`${username} is not a username: ${rules.join('; ')}.`));
    }
    const ports = portsOn(pool, store);
    const profile = { username, displayName: null, email: null };
    const created = await bootstrap(ports, profile, requestContext(ports.ids, ACTOR, ports.ids.uuid()));
    if (isLeft(created)) return left(failed(created.left.message));
    const text = `Created the first user ${username} (ops).`;
    return identityMode === 'api-key'
      ? issueKey(ports, username, 'bootstrap')
      : right({ data: { username, role: 'ops' }, text });
  });

/** Creates an API key for a user without the API, for a user who has lost the last key. */
export const newKey = (username: string, name: string, { environment }: LocalContext): Outcome =>
  withEventStore(environment, 60_000, problem, (pool, store) => issueKey(portsOn(pool, store), username, name));

const issueKey = async (ports: CommandPorts, username: string, name: string): Outcome => {
  const expiresAt = handedOutKeyExpiry(ports.clock.now());
  const context = requestContext(ports.ids, ACTOR, ports.ids.uuid());
  const issued = await issueApiKey(ports, { username, name, expiresAt }, context);
  if (isLeft(issued)) return left(failed(issued.left.message));
  const { key, keyId } = issued.right;
  return right({
    data: { username, id: keyId, name, expires_at: expiresAt, key },
    table: { columns: ['id', 'expires', 'key (shown only once)'], rows: [[keyId, expiresAt, key]] },
  });
};
