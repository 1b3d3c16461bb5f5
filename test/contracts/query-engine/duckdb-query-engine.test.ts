import { openWarehouseFixture } from '../../adapters/duckdb/warehouse-fixture';
import { describeQueryEngine } from './query-engine-contract';

describeQueryEngine('DuckDB', async () => {
  const { engine, close } = await openWarehouseFixture();
  return {
    engine,
    close,
    slowSql: 'SELECT a.id * b.id AS n FROM customer a, customer b, customer c, customer d',
    filesOf: (_, finished) => Promise.resolve(finished.localFiles),
  };
});
