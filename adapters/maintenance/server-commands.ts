import { isLeft, left, right } from 'fp-ts/Either';
import { rebuildProjection } from '../../projections/rebuild';
import { projections } from '../../projections/registry';
import { type LocalContext, type Outcome } from '../cli/action';
import { failed, usageError } from '../cli/failure';
import { tableOf } from '../cli/output';
import { createPostgresLeaseStore } from '../postgres/postgres-lease-store';
import { withEventStore } from './find-database';
import { requestContext } from '../../commands/kit/command-context';
import { issueApiKey } from '../http/public/api-key/handlers';
import { createPostgresIdGenerator } from '../postgres/postgres-id-generator';
import { systemClock } from '../system/system-clock';

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
      const done = [];
      for (const projection of chosen) {
        terminal.errors.write(`${projection.name} …\n`);
        const startedAt = performance.now();
        const { events, parked } = await rebuildProjection(
          { pool, store, leases: createPostgresLeaseStore(pool) },
          projection,
        );
        for (const { event, error } of parked) {
          terminal.errors.write(`${event.streamId} is parked from position ${event.position}: ${error}\n`);
        }
        const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
        done.push({ name: projection.name, events, parked: parked.length, seconds });
      }
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

const problem = (reason: string): string => `The key could not be created: ${reason}. Is the system running?`;

/** Creates an API key for a user without the API, for a user who has lost the last key. */
export const newKey = (username: string, name: string, { environment }: LocalContext): Outcome =>
  withEventStore(environment, 60_000, problem, async (pool, store) => {
    const ports = { store, clock: systemClock, ids: createPostgresIdGenerator(pool) };
    const actor = { username: 'system:cli', role: 'system' } as const;
    const context = requestContext(ports.ids, actor, ports.ids.uuid());
    const given = await issueApiKey(ports, { username, name, expiresAt: null }, context);
    if (isLeft(given)) return left(failed(given.left.message));
    const { key, keyId } = given.right;
    return right({
      data: { username, id: keyId, name, key },
      table: { columns: ['id', 'key (shown only once)'], rows: [[keyId, key]] },
    });
  });
