import { fillLog, hasManyRestarts, MANY_RESTARTS } from '../../bench/audit-world';
import { createProjectionFixture } from '../projections/projection-fixture';

describe('the log of the benchmark of the audit trail', () => {
  test('is one that the current projections and views accept, with restarts and without open work', async () => {
    const fixture = await createProjectionFixture();
    const { pool } = fixture;
    await fillLog(pool, 3000);
    const running = fixture.run();
    await running.caughtUp();
    await running.stop();

    expect({ parked: running.parked, trouble: running.trouble }).toEqual({ parked: [], trouble: [] });
    const count = async (from: string): Promise<number> =>
      Number((await pool.query<{ count: string }>(`SELECT count(*) FROM ${from}`)).rows[0]?.count);
    expect(await count('es.events')).toBeGreaterThanOrEqual(3000);
    expect((await fixture.rows())['audit_trail']).toHaveLength(await count('es.events'));
    expect(await count('es.effects')).toBe(0);
    expect(await count('es.timers')).toBe(0);
    expect(await count('es.events e JOIN es.streams s USING (stream_id) WHERE e.revision = s.revision')).toBe(
      await count('es.streams'),
    );
    const restarts = await pool.query<{ id: string; restarts: string }>(
      `SELECT substr(stream_id, 10) AS id, count(*) FILTER (WHERE type = 'InstanceRestarting') AS restarts
       FROM es.events WHERE stream_id LIKE 'instance-%' GROUP BY stream_id`,
    );
    const many = restarts.rows.filter(({ id }) => hasManyRestarts(Number(id)));
    expect(new Set(many.map((row) => Number(row.restarts)))).toEqual(new Set([MANY_RESTARTS]));
    await fixture.close();
  });
});
