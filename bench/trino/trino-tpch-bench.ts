import { setTimeout as sleep } from 'node:timers/promises';
import * as t from 'io-ts';
import { type Figure, rounded } from '../figure';
import { supplyCounts, supplyMapping } from './supply-mapping';
import { type TrinoBench, withTrinoSystem } from './trino-system';

const TPCH = 'tpch.sf1';
const POLL_MS = 100;
const Id = t.type({ id: t.number });
const Instance = t.type({
  status: t.string,
  error_message: t.union([t.string, t.null]),
  instance_url: t.union([t.string, t.null]),
});

/** TPC-H of scale 1 through Trino and S3 into both kinds. The time outside Trino's queries is rowgraph's share. */
export const trinoTpchBench = (say: (line: string) => void): Promise<readonly Figure[]> =>
  withTrinoSystem(
    async (bench) => {
      const mapping = await bench.api(Id, 'POST', '/api/mappings', supplyMapping(TPCH));
      const figures: Figure[] = [];
      for (const kind of ['graphdb_a', 'graphdb_b']) {
        say(`exporting and loading ${TPCH} into ${kind}`);
        figures.push(...(await measureKind(bench, mapping.id, kind, say)));
      }
      return figures;
    },
    { ROWGRAPH_POD_RUNTIME: 'process' },
  );

const measureKind = async (
  bench: TrinoBench,
  mapping_id: number,
  kind: string,
  say: (line: string) => void,
): Promise<readonly Figure[]> => {
  const { api, sql } = bench;
  const begun = Date.now();
  const { id } = await api(Id, 'POST', '/api/instances', { mapping_id, name: kind, wrapper_type: kind });
  const address = await untilRunning(bench, id, say);
  const ended = Date.now();
  const seconds = (ended - begun) / 1000;
  const queries = await querySeconds(bench, begun);
  for (const { what, sql: counting, cypher } of supplyCounts(TPCH)) {
    const [[expected] = []] = await sql(counting);
    const Rows = t.type({ rows: t.readonlyArray(t.readonlyArray(t.number)) });
    const answer = await fetch(`${address}/query`, {
      ...{ method: 'POST', headers: { 'Content-Type': 'application/json', 'X-Username': 'olivia' } },
      body: JSON.stringify({ query: cypher }),
    });
    const rows: unknown = await answer.json();
    if (!Rows.is(rows) || rows.rows[0]?.[0] !== Number(expected))
      throw new Error(`${kind} has another count of ${what} than ${String(expected)}: ${JSON.stringify(rows)}`);
  }
  await api(t.unknown, 'DELETE', `/api/instances/${id}`).catch(() => undefined);
  return [
    { what: `${kind}: total`, value: rounded(seconds), unit: 's' },
    { what: `${kind}: Trino's queries`, value: rounded(queries), unit: 's' },
    { what: `${kind}: rowgraph's part`, value: rounded(seconds - queries), unit: 's', goal: { atMost: 12 } },
  ];
};

const untilRunning = async ({ api }: TrinoBench, id: number, say: (line: string) => void): Promise<string> => {
  const begun = Date.now();
  for (let last = ''; ; await sleep(POLL_MS)) {
    const { status, error_message: reason, instance_url: address } = await api(Instance, 'GET', `/api/instances/${id}`);
    if (status === 'running' && address !== null) return address;
    if (status === 'failed') throw new Error(reason ?? status);
    const { phase } = await api(t.type({ phase: t.string }), 'GET', `/api/instances/${id}/progress`);
    if (phase !== last) say(`  ${((Date.now() - begun) / 1000).toFixed(1)} s: ${phase}`);
    last = phase;
  }
};

/** The time since `since` in which Trino ran a query of the export; reconciliation lists tables beside the loading. */
const querySeconds = async ({ sql }: TrinoBench, since: number): Promise<number> => {
  const rows = await sql(`SELECT to_unixtime(created), to_unixtime("end") FROM system.runtime.queries
    WHERE source = 'rowgraph' AND query NOT LIKE 'SHOW TABLES%' AND to_unixtime(created) >= ${since / 1000 - 1} ORDER BY 1`);
  let [busy, until] = [0, 0];
  for (const [from, to] of rows.map(([a, b]) => [Number(a), Number(b)] as const)) {
    busy += Math.max(0, to - Math.max(from, until));
    until = Math.max(until, to);
  }
  return busy;
};
