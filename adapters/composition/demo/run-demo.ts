import { setTimeout as sleep } from 'node:timers/promises';
import {
  AlgorithmStarted,
  AlgorithmStatus,
  Created,
  InstanceDetail,
  Progress,
  QueryAnswer,
  readAnswer,
} from './answers';
import { type ApiClient, apiClient } from './api-client';
import { progressDisplay } from './progress-display';
import { resultTable } from './result-table';
import { bankMapping } from './warehouse/bank-mapping';
import { bankQuestions } from './warehouse/bank-questions';

interface AnsweredQuery {
  readonly cypher: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  readonly execution_time_ms: number;
}

/** What the demo did, as `--json` prints it. Times are milliseconds. */
export interface DemoReport {
  readonly mapping_id: number;
  readonly instance_id: number;
  readonly instance_url: string;
  readonly status: string;
  readonly nodes: number;
  readonly edges: number;
  readonly queries: readonly AnsweredQuery[];
  readonly algorithm: {
    readonly name: string;
    readonly status: string;
    readonly nodes_updated: number;
    readonly duration_ms: number;
  };
  readonly timings_ms: {
    readonly boot: number;
    readonly request_to_running: number;
    readonly export: number;
    readonly load: number;
    readonly first_query: number;
  };
}

const POLL_MS = 40;
const PATIENCE_MS = 120_000;
/** The property pagerank writes, which the last question reads. */
const RANK = 'rank';

/** What an analyst does on the first day, over HTTP: mapping, instance, questions, an algorithm. */
export const runDemo = async (
  publicUrl: string,
  boot: number,
  out: NodeJS.WriteStream,
  say: (line: string) => void,
): Promise<DemoReport> => {
  const api = `${publicUrl}/api`;
  const nobody = apiClient(api, 'nobody');
  await nobody.post('/users/bootstrap', { username: 'olivia', display_name: 'Olivia (ops)' });
  await apiClient(api, 'olivia').post('/users', { username: 'ada', display_name: 'Ada (analyst)', role: 'analyst' });
  const ada = apiClient(api, 'ada');
  const mapping = readAnswer('create mapping', Created, await ada.post('/mappings', bankMapping)).data;
  say(`mapping ${mapping.id}: "${bankMapping.name}"`);

  const requestedAt = performance.now();
  const body = { mapping_id: mapping.id, name: 'Money flows', wrapper_type: 'graphdb_a' };
  const { id } = readAnswer('create instance', Created, await ada.post('/instances', body)).data;
  say(`instance ${id}: exporting the rows and loading the graph`);
  const { exported, running } = await watchInstance(ada, id, out);
  const instance = readAnswer('get instance', InstanceDetail, await ada.get(`/instances/${id}`)).data;
  const { graph_stats: stats, instance_url: url } = instance;
  if (stats === null || url === null) throw new Error(`Instance ${id} is running, but tells no counts or address.`);
  const toRunning = Math.round(running - requestedAt);
  say(`running after ${toRunning} ms: ${stats.node_count} nodes, ${stats.edge_count} edges\n`);

  const pod = apiClient(url, 'ada');
  const queries: AnsweredQuery[] = [];
  let firstQuery = 0;
  const ask = async ({ question, cypher }: { readonly question: string; readonly cypher: string }): Promise<void> => {
    const askedAt = performance.now();
    const answer = readAnswer('query', QueryAnswer, await pod.post('/query', { query: cypher }));
    if (queries.length === 0) firstQuery = performance.now() - askedAt;
    const { columns, rows, execution_time_ms } = answer;
    queries.push({ cypher, columns, rows, execution_time_ms });
    say(
      `${question}\n\n${cypher.replaceAll(/^/gm, '    ')}\n\n${resultTable(columns, rows)}\n(${execution_time_ms} ms)\n`,
    );
  };
  const [rings, devices, central] = bankQuestions;
  await ask(devices);
  await ask(rings);
  const algorithm = await runPagerank(pod);
  say(`pagerank over the accounts: ${algorithm.nodes_updated} ranks written in ${algorithm.duration_ms} ms\n`);
  await ask(central);

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

/** Shows the progress until the instance runs; when the export ended and when it ran, on the clock of `performance`. */
const watchInstance = async (
  ada: ApiClient,
  id: number,
  out: NodeJS.WriteStream,
): Promise<{ readonly exported: number; readonly running: number }> => {
  const display = progressDisplay(out);
  const deadline = performance.now() + PATIENCE_MS;
  let exported: number | null = null;
  while (performance.now() < deadline) {
    const progress = readAnswer('progress', Progress, await ada.get(`/instances/${id}/progress`)).data;
    const now = performance.now();
    if (exported === null && progress.status !== 'waiting_for_snapshot') exported = now;
    display.show(progress);
    if (progress.status === 'running') return { exported: exported ?? now, running: now };
    if (progress.status === 'failed') {
      const { error_code, error_message } = readAnswer(
        'get instance',
        InstanceDetail,
        await ada.get(`/instances/${id}`),
      ).data;
      throw new Error(`instance ${id} failed with ${error_code ?? '?'}: ${error_message ?? 'no message'}`);
    }
    await sleep(POLL_MS);
  }
  throw new Error(`instance ${id} was not running after ${PATIENCE_MS / 1000} seconds.`);
};

const runPagerank = async (pod: ApiClient): Promise<DemoReport['algorithm']> => {
  const body = { node_label: 'Account', property_name: RANK };
  const { execution_id } = readAnswer('start pagerank', AlgorithmStarted, await pod.post('/algo/pagerank', body)).data;
  const deadline = performance.now() + PATIENCE_MS;
  while (performance.now() < deadline) {
    const status = readAnswer('pagerank status', AlgorithmStatus, await pod.get(`/algo/status/${execution_id}`)).data;
    if (status.status === 'completed') {
      return {
        name: 'pagerank',
        status: status.status,
        nodes_updated: status.result?.nodes_updated ?? 0,
        duration_ms: Math.round((status.duration_seconds ?? 0) * 1000),
      };
    }
    if (status.status !== 'running' && status.status !== 'pending') {
      throw new Error(`pagerank ended as ${status.status}: ${status.error ?? 'no reason given'}`);
    }
    await sleep(POLL_MS);
  }
  throw new Error(`pagerank was not done after ${PATIENCE_MS / 1000} seconds.`);
};
