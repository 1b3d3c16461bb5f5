import { isLeft, left, right } from 'fp-ts/Either';
import { requestContext } from '../../commands/kit/command-context';
import { type LocalContext, type Outcome } from '../cli/action';
import { failed } from '../cli/failure';
import { giveApiKey } from '../http/public/api-key/handlers';
import { createPostgresIdGenerator } from '../postgres/postgres-id-generator';
import { systemClock } from '../system/system-clock';
import { withEventStore } from './find-database';

const complaint = (reason: string): string => `The key could not be made: ${reason}. Is the system running?`;

/** Makes an API key for a user without asking the API: for who has lost the last one. */
export const newKey = (username: string, name: string, { environment }: LocalContext): Outcome =>
  withEventStore(environment, 60_000, complaint, async (pool, store) => {
    const ports = { store, clock: systemClock, ids: createPostgresIdGenerator(pool) };
    const actor = { username: 'system:cli', role: 'system' } as const;
    const context = requestContext(ports.ids, actor, ports.ids.uuid());
    const given = await giveApiKey(ports, { username, name, expiresAt: null }, context);
    if (isLeft(given)) return left(failed(given.left.message));
    const { key, keyId } = given.right;
    return right({
      data: { username, id: keyId, name, key },
      table: { columns: ['id', 'key (shown only once)'], rows: [[keyId, key]] },
    });
  });
