import { setTimeout as sleep } from 'node:timers/promises';
import { type Either, isLeft } from 'fp-ts/Either';
import { explain } from '../cli/failure';
import { type Progress, progressDisplay, untilRunning } from '../cli/progress-display';
import { resultTable } from '../cli/result-table';
import {
  type ApiClient,
  type ClientFailure,
  createApiClient,
  createInstanceClient,
  type Identity,
  type InstanceClient,
  readGraphAnswer,
  type Success,
} from '../client';
import { bankMapping, bankQuestions } from '../sample/bank-mapping';

interface AnsweredQuery {
  readonly cypher: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  readonly execution_time_ms: number;
}

/** The report of `--json`. */
export type DemoReport = Awaited<ReturnType<typeof runDemo>>;

const POLL_MS = 40;
const TIMEOUT_MS = 120_000;
/** The property that pagerank writes and the last query reads. */
const RANK = 'rank';

/** The first steps of an analyst over HTTP: mapping, instance, queries, an algorithm. */
export const runDemo = async (
  publicUrl: string,
  boot: number,
  out: NodeJS.WriteStream,
  print: (line: string) => void,
) => {
  await createUsers(publicUrl);
  const ada = createApiClient(publicUrl, named('ada'));
  const mapping = need(await ada.createMapping({ body: bankMapping }));
  print(`mapping ${mapping.id}: "${bankMapping.name}"`);

  const requestedAt = performance.now();
  const body = { mapping_id: mapping.id, name: 'Money flows', wrapper_type: 'graphdb_a' } as const;
  const { id } = need(await ada.createInstance({ body }));
  print(`instance ${id}: exporting rows, loading the graph`);
  const { exported, running } = await watchInstance(ada, id, out);
  const instance = need(await ada.getInstance({ params: { id } }));
  const { graph_stats: stats, instance_url: url } = instance;
  if (stats?.node_count == null || stats.edge_count == null || url === null)
    throw new Error(`Instance ${id} is running without counts or address.`);
  const toRunning = Math.round(running - requestedAt);
  print(`running after ${toRunning} ms: ${stats.node_count} nodes, ${stats.edge_count} edges\n`);

  const pod = createInstanceClient('graphdb_a', url, named('ada'));
  const queries: AnsweredQuery[] = [];
  let firstQuery = 0;
  const runQuestion = async ({ question, cypher }: (typeof bankQuestions)[number]): Promise<void> => {
    const askedAt = performance.now();
    const answer = readGraphAnswer(need(await pod.query({ body: { query: cypher } })));
    if (isLeft(answer)) throw new Error(answer.left);
    if (queries.length === 0) firstQuery = performance.now() - askedAt;
    const { columns, rows, execution_time_ms } = answer.right;
    queries.push({ cypher, columns, rows, execution_time_ms });
    print(
      `${question}\n\n${cypher.replaceAll(/^/gm, '    ')}\n\n${resultTable(columns, rows, { maxCell: 48, digits: 6 })}\n(${execution_time_ms} ms)\n`,
    );
  };
  const [rings, devices, central] = bankQuestions;
  await runQuestion(devices);
  await runQuestion(rings);
  const algorithm = await runPagerank(pod);
  print(`pagerank over the accounts: ${algorithm.nodes_updated} ranks written in ${algorithm.duration_ms} ms\n`);
  await runQuestion(central);

  return {
    mapping_id: mapping.id,
    instance_id: id,
    instance_url: url,
    status: instance.status,
    nodes: stats.node_count,
    edges: stats.edge_count,
    queries,
    algorithm,
    timings_ms: {
      boot,
      request_to_running: toRunning,
      export: Math.round(exported - requestedAt),
      load: Math.round(running - exported),
      first_query: Math.round(firstQuery),
    },
  };
};

const createUsers = async (publicUrl: string): Promise<void> => {
  const anonymous = createApiClient(publicUrl, { kind: 'anonymous' });
  need(await anonymous.bootstrap({ body: { username: 'olivia', display_name: 'Olivia (ops)' } }));
  const olivia = createApiClient(publicUrl, named('olivia'));
  need(await olivia.createUser({ body: { username: 'ada', display_name: 'Ada (analyst)', role: 'analyst' } }));
  need(await olivia.refreshSchemaCache());
};

const named = (username: string): Identity => ({ kind: 'username', username, edgeToken: null });

/** The data of an answer; any failure ends the demo. */
const need = <O>(answer: Either<ClientFailure, Success<O>>): O => {
  if (isLeft(answer)) throw new Error(explain(answer.left).lines.join(' '));
  return answer.right.data;
};

/** Shows the progress until the instance runs; returns the times of `performance`. */
const watchInstance = async (
  ada: ApiClient,
  id: number,
  out: NodeJS.WriteStream,
): Promise<{ readonly exported: number; readonly running: number }> => {
  const display = progressDisplay(out);
  const seen: { exported?: number } = {};
  const show = (progress: Progress): void => {
    if (progress.status !== 'waiting_for_snapshot') seen.exported ??= performance.now();
    display(progress);
  };
  const ended = await untilRunning(ada, id, show, AbortSignal.timeout(TIMEOUT_MS));
  if (isLeft(ended)) throw new Error(ended.left.lines.join(' '));
  const running = performance.now();
  return { exported: seen.exported ?? running, running };
};

const runPagerank = async (pod: InstanceClient<'graphdb_a'>) => {
  const body = { node_label: 'Account', property_name: RANK };
  const { execution_id } = need(await pod.startAlgorithm({ params: { name: 'pagerank' }, body }));
  const deadline = performance.now() + TIMEOUT_MS;
  while (performance.now() < deadline) {
    const { status, result, duration_seconds, error } = need(await pod.algorithmStatus({ params: { execution_id } }));
    if (status === 'completed') {
      return {
        name: 'pagerank',
        status,
        nodes_updated: result?.nodes_updated ?? 0,
        duration_ms: Math.round((duration_seconds ?? 0) * 1000),
      };
    }
    if (status === 'failed') throw new Error(`pagerank failed: ${error ?? 'unknown'}`);
    await sleep(POLL_MS);
  }
  throw new Error(`pagerank: timeout after ${TIMEOUT_MS / 1000} s.`);
};
