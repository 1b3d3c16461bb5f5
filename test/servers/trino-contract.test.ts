import { describeQueryEngine } from '../contracts/query-engine/query-engine-contract';
import { createSlowTable, describeWithTrino, openTrino, s3Destination, SLOW_TABLE } from './support/trino-server';

describeWithTrino('with its real server', () => {
  for (const catalog of ['hive', 'iceberg']) {
    describeQueryEngine(`Trino, exporting through ${catalog}`, async () => {
      const trino = await openTrino({ catalog });
      await trino.sql('CREATE SCHEMA IF NOT EXISTS memory.main');
      await trino.sql('DROP TABLE IF EXISTS memory.main.customer');
      await trino.sql(`CREATE TABLE memory.main.customer AS
        SELECT CAST(n AS bigint) AS id, CAST('n' || CAST(n AS varchar) AS varchar) AS name
        FROM UNNEST(sequence(0, 999)) AS t (n)`);
      await createSlowTable(trino);
      const destinations = new Map<string, ReturnType<typeof s3Destination>>();
      return {
        engine: trino.engine,
        catalog: 'memory',
        slowSql: `SELECT n FROM ${SLOW_TABLE}`,
        destination: (folder) => {
          const destination = s3Destination(folder);
          destinations.set(destination.url, destination);
          return destination;
        },
        filesOf: async ({ destination: { url } }) => (await destinations.get(url)?.fetch()) ?? [],
        close: () => Promise.resolve(),
      };
    });
  }
});
