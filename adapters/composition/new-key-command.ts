import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { requestContext } from '../../commands/kit/command-context';
import { type LocalContext } from '../cli/action';
import { type CliFailure, failed } from '../cli/failure';
import { type Output } from '../cli/output';
import { giveApiKey } from '../http/public/api-key/handlers';
import { createPool } from '../postgres/pool';
import { createPostgresEventStore } from '../postgres/postgres-event-store';
import { createPostgresIdGenerator } from '../postgres/postgres-id-generator';
import { systemClock } from '../system/system-clock';
import { findDatabase } from './find-database';

/** Makes an API key for a user without asking the API: for who has lost the last one. */
export const newKey = async (
  username: string,
  name: string,
  { environment }: LocalContext,
): Promise<Either<CliFailure, Output>> => {
  const url = findDatabase(environment);
  if (isLeft(url)) return url;
  const pool = createPool({ connectionString: url.right });
  const store = createPostgresEventStore({ pool, connectionString: url.right });
  try {
    const ports = { store, clock: systemClock, ids: createPostgresIdGenerator(pool) };
    const actor = { username: 'system:cli', role: 'system' } as const;
    const context = requestContext(ports.ids, actor, ports.ids.uuid());
    const given = await giveApiKey(ports, { username, name, expiresAt: null }, context);
    if (isLeft(given)) return left(failed(given.left.message));
    const { key, keyId } = given.right;
    return right({
      data: { username, id: keyId, name, key },
      table: { columns: ['id', 'key, shown this once'], rows: [[keyId, key]] },
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return left(failed(`The key could not be made: ${reason}. Is the system running?`));
  } finally {
    await store.close();
    await pool.end();
  }
};
