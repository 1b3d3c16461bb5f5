import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { rebuildProjection } from '../../projections/rebuild';
import { projections } from '../../projections/registry';
import { type CliFailure, failed, wrongUsage } from '../cli/failure';
import { type LocalContext } from '../cli/action';
import { type Output } from '../cli/output';
import { createPool } from '../postgres/pool';
import { createPostgresEventStore } from '../postgres/postgres-event-store';
import { findDatabase } from './find-database';

const READ_MODELS = projections.filter(({ tables }) => tables !== '');

/** Fills one read model, or all, again from the log while the present ones go on serving. */
export const rebuild = async (
  name: string,
  { terminal, environment }: LocalContext,
): Promise<Either<CliFailure, Output>> => {
  const chosen = READ_MODELS.filter((one) => name === 'all' || one.name === name);
  if (chosen.length === 0) {
    const names = READ_MODELS.map((one) => one.name).join(', ');
    return left(wrongUsage(`There is no read model "${name}"; there are ${names}, or all of them: all.`));
  }
  const url = findDatabase(environment);
  if (isLeft(url)) return url;
  const pool = createPool({ connectionString: url.right, statementTimeoutMs: 0 });
  const store = createPostgresEventStore({ pool, connectionString: url.right });
  const done: { readonly name: string; readonly events: number; readonly parked: number; readonly seconds: number }[] =
    [];
  try {
    for (const projection of chosen) {
      terminal.errors.write(`${projection.name} …\n`);
      const startedAt = performance.now();
      const { events, parked } = await rebuildProjection(pool, store, projection);
      for (const { event, error } of parked) {
        terminal.errors.write(`${event.streamId} is held back from position ${event.position} on: ${error}\n`);
      }
      const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
      done.push({ name: projection.name, events, parked: parked.length, seconds });
    }
    const rows = done.map((one) => [one.name, one.events, one.parked, one.seconds]);
    return right({ data: done, table: { columns: ['read model', 'events', 'streams held back', 'seconds'], rows } });
  } catch (error) {
    return left(failed(`The rebuild failed: ${error instanceof Error ? error.message : String(error)}`));
  } finally {
    await store.close();
    await pool.end();
  }
};
