import { openWarehouseFixture } from '../../adapters/duckdb/warehouse-fixture';
import { localDestination, storedPaths } from '../../support/local-destination';
import { describeQueryEngine } from './query-engine-contract';

describeQueryEngine('DuckDB', async () => {
  const { engine, close } = await openWarehouseFixture();
  return {
    engine,
    catalog: 'bank',
    close,
    slowSql: 'SELECT a.id * b.id AS n FROM customer a, customer b, customer c, customer d',
    destination: localDestination,
    filesOf: (request, finished) => Promise.resolve(storedPaths(request.destination, finished)),
  };
});
