import { readSchemaOf } from '../../projections/projection-tables';
import { usersProjection } from '../../projections/users';
import { withLogOf } from './log-of';

/** Runs work while the read model of users is not written. */
export const whileUsersLag = <A>(system: Parameters<typeof withLogOf>[0], work: () => Promise<A>): Promise<A> =>
  withLogOf(system, async (_store, pool) => {
    const blocking = await pool.connect();
    try {
      await blocking.query(`BEGIN; LOCK TABLE ${readSchemaOf(usersProjection)}.users IN EXCLUSIVE MODE`);
      return await work();
    } finally {
      await blocking.query('ROLLBACK');
      blocking.release();
    }
  });
