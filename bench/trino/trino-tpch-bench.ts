import { createInstanceClient, type InstanceKind, readGraphAnswer } from '../../adapters/client';
import { type Figure, rounded } from '../figure';
import { need } from '../need';
import { OLIVIA, startInstance } from '../start-instance';
import { supplyCounts, supplyMapping } from './supply-mapping';
import { type TrinoBench, withTrinoSystem } from './trino-system';

const TPCH = 'tpch.sf1';
/** TPC-H of scale 1 through Trino and S3 into both kinds. The time outside Trino's queries is rowgraph's share. */
export const trinoTpchBench = (say: (line: string) => void): Promise<readonly Figure[]> =>
  withTrinoSystem(
    async (bench) => {
      const { id: mappingId } = need(await bench.api.createMapping({ body: supplyMapping(TPCH) })).data;
      const figures: Figure[] = [];
      for (const kind of ['graphdb_a', 'graphdb_b'] as const) {
        say(`exporting and loading ${TPCH} into ${kind}`);
        figures.push(...(await measureKind(bench, mappingId, kind, say)));
      }
      return figures;
    },
    { ROWGRAPH_POD_RUNTIME: 'process' },
  );

const measureKind = async (
  { api, sql }: TrinoBench,
  mappingId: number,
  kind: InstanceKind,
  say: (line: string) => void,
): Promise<readonly Figure[]> => {
  const begun = Date.now();
  const { id, url } = await startInstance(api, mappingId, kind, say);
  const seconds = (Date.now() - begun) / 1000;
  const queries = await querySeconds(sql, begun);
  const pod = createInstanceClient(kind, url, OLIVIA);
  for (const { what, sql: counting, cypher } of supplyCounts(TPCH)) {
    const [[expected] = []] = await sql(counting);
    const [[counted] = []] = need(readGraphAnswer(need(await pod.query({ body: { query: cypher } })).data)).rows;
    if (Number(counted) !== Number(expected))
      throw new Error(`${kind} has ${String(counted)} instead of ${String(expected)} rows of ${what}.`);
  }
  await api.deleteInstance({ params: { id } });
  return [
    { what: `${kind}: total`, value: rounded(seconds), unit: 's' },
    { what: `${kind}: Trino's queries`, value: rounded(queries), unit: 's' },
    { what: `${kind}: rowgraph's part`, value: rounded(seconds - queries), unit: 's', goal: { atMost: 12 } },
  ];
};

/** The time since `since` in which Trino ran a query of the export; reconciliation lists tables beside the loading. */
const querySeconds = async (sql: TrinoBench['sql'], since: number): Promise<number> => {
  const rows = await sql(`SELECT to_unixtime(created), to_unixtime("end") FROM system.runtime.queries
    WHERE source = 'rowgraph' AND query NOT LIKE 'SHOW TABLES%' AND to_unixtime(created) >= ${since / 1000 - 1} ORDER BY 1`);
  let [busy, until] = [0, 0];
  for (const [from, to] of rows.map(([a, b]) => [Number(a), Number(b)] as const)) {
    busy += Math.max(0, to - Math.max(from, until));
    until = Math.max(until, to);
  }
  return busy;
};
