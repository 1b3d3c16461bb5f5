import { type Either, left, right } from 'fp-ts/Either';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { createHttpServer, serveMetrics } from '../../adapters/http/kit/http-server';
import { outsideCalls } from '../../adapters/system/outside-calls';
import { type JobEnd } from './run-job';

/** Exports take from a fraction of a second to an hour. */
const SECONDS = [0.1, 0.5, 1, 5, 15, 60, 300, 900, 3600];

/** The metrics of a worker. Names and meaning: docs/operations/monitoring.md. */
export type WorkerMetrics = ReturnType<typeof createWorkerMetrics>;

export const createWorkerMetrics = () => {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  registry.registerMetric(outsideCalls);
  const counter = <L extends string>(name: string, help: string, labelNames: L[] = []): Counter<L> =>
    new Counter({ name: `rowgraph_worker_${name}`, help, labelNames, registers });
  const jobs = counter('jobs_total', 'Export jobs that have ended for this worker', ['outcome']);
  const rows = counter('exported_rows_total', 'Rows of completed export jobs');
  const bytes = counter('exported_bytes_total', 'Bytes of Parquet of completed export jobs');
  const polls = counter('polls_total', 'Requests for jobs', ['what', 'outcome']);
  const repeated = counter('reports_repeated_total', 'Reports that had to be sent again');
  const inProgress = new Gauge({ name: 'rowgraph_worker_jobs_under_way', help: 'Export jobs under way', registers });
  const duration = new Histogram({
    name: 'rowgraph_worker_job_duration_seconds',
    help: 'How long an export job takes',
    labelNames: ['outcome'],
    buckets: SECONDS,
    registers,
  });
  return {
    jobStarted: () => inProgress.inc(),
    jobEnded: (end: JobEnd, seconds: number) => {
      inProgress.dec();
      jobs.inc({ outcome: end.end });
      duration.observe({ outcome: end.end }, seconds);
      if (end.end !== 'completed') return;
      rows.inc(end.rows);
      bytes.inc(end.bytes);
    },
    /** A request for jobs: to claim, or to resume. */
    countRequest: (what: 'claim' | 'pollable', answered: boolean) =>
      polls.inc({ what, outcome: answered ? 'answered' : 'failed' }),
    reportRepeated: () => repeated.inc(),
    /** All metrics in the text format of Prometheus. */
    render: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  };
};

/** Serves `GET /metrics` on all addresses for Prometheus until the program ends. */
export const serveWorkerMetrics = (metrics: WorkerMetrics, port: number): Promise<Either<string, void>> =>
  new Promise((resolve) => {
    const listener = serveMetrics((_request, response) => void response.writeHead(404).end(), metrics);
    const server = createHttpServer({ app: null, listener });
    server.once('error', ({ message }) =>
      resolve(left(`its metrics cannot be served: ${message}. Set ROWGRAPH_WORKER_METRICS_PORT to a free port.`)),
    );
    server.listen(port, () => resolve(right(undefined)));
  });
