import { changeInstances, fillReadModel, INSTANCES, INSTANCES_TABLE } from '../../bench/list-world';
import { prepareProjections } from '../../projections/projection-tables';
import { projections } from '../../projections/registry';
import { poolOfEachTest } from '../support/pool-of-each-test';

describe('the benchmark of lists', () => {
  const database = poolOfEachTest();

  test('fills and changes the current read model', async () => {
    const { pool } = database;
    await prepareProjections(pool, projections);

    await fillReadModel(pool);
    await changeInstances(pool);

    const { rows } = await pool.query<{ count: string }>(
      `SELECT count(*) FROM ${INSTANCES_TABLE} LEFT JOIN telemetry.instance_metrics ON instance_id = id`,
    );
    expect(rows).toEqual([{ count: String(INSTANCES) }]);
  });
});
