import { left, right } from 'fp-ts/Either';
import { rebuildProjection } from '../../projections/rebuild';
import { projections } from '../../projections/registry';
import { type LocalContext, type Outcome } from '../cli/action';
import { wrongUsage } from '../cli/failure';
import { tableOf } from '../cli/output';
import { createPostgresLeaseStore } from '../postgres/postgres-lease-store';
import { withEventStore } from './find-database';

const READ_MODELS = projections.filter(({ tables }) => tables !== '');

/** Fills one read model, or all, again from the log; the present ones serve meanwhile. */
export const rebuild = async (name: string, { terminal, environment }: LocalContext): Outcome => {
  const chosen = READ_MODELS.filter((one) => name === 'all' || one.name === name);
  if (chosen.length === 0) {
    const names = READ_MODELS.map((one) => one.name).join(', ');
    return left(wrongUsage(`There is no read model "${name}"; there are ${names}, or all of them: all.`));
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
          terminal.errors.write(`${event.streamId} is held back from position ${event.position} on: ${error}\n`);
        }
        const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
        done.push({ name: projection.name, events, parked: parked.length, seconds });
      }
      const table = tableOf(done, {
        'read model': 'name',
        events: 'events',
        'streams held back': 'parked',
        seconds: 'seconds',
      });
      return right({ data: done, table });
    },
  );
};
