import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { outsideCalls } from '../system/outside-calls';
import { settlesWithin } from '../system/time-limit';

/** Measured state of the system by gauge: a number, or one for each value of the label; null: unknown. */
export type Measures = Readonly<Record<(typeof MEASURED)[number][0], number | Readonly<Record<string, number>> | null>>;

/** The counters of this process, and their Prometheus format. Names and meaning: docs/operations/monitoring.md. */
export interface Metrics extends Readonly<ReturnType<typeof createCounters>> {
  /**
   * All metrics in the text format of Prometheus. Metrics that cannot be measured are omitted, and `rowgraph_up` is 0.
   */
  render(): Promise<{ readonly contentType: string; readonly text: string }>;
}

const SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const LONG_SECONDS = [0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600];

/** The connections of a pool. */
export interface PoolUse {
  readonly pool: string;
  readonly busy: number;
  readonly idle: number;
  /** Requests that wait for a connection. */
  readonly waiting: number;
}

/** Counts of problems of the connection to the log since the start. */
export interface LogConnectionCounts {
  readonly resends: number;
  readonly reconnections: number;
}

const WRITTEN = ['database', 'disk'] as const;

/** The stores that the control plane writes to. */
interface WrittenStores {
  /** Those whose last write failed. */
  readonly failures: () => Readonly<Partial<Record<(typeof WRITTEN)[number], string>>>;
  /** The free space of the data folder; null if unknown. */
  readonly freeBytes: () => Promise<number | null>;
}

/** Timeout of a scrape for an unresponsive store. */
const MEASURE_WITHIN_MS = 5_000;

/**
 * `measure` measures the state of the system, once per scrape.
 */
export const createMetrics = (
  measure: () => Promise<Measures>,
  log: LogConnectionCounts,
  written: WrittenStores,
  poolUse: () => readonly PoolUse[] = () => [],
): Metrics => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  registry.registerMetric(outsideCalls);
  const gauge = <L extends string>(name: string, help: string, labelNames: readonly L[] = []): Gauge<L> =>
    new Gauge({ name, help, labelNames: [...labelNames], registers: [registry] });

  const seen = (name: string, help: string, read: () => number): void => {
    const total = new Counter({
      ...{ name, help, registers: [registry] },
      collect: () => {
        total.reset();
        total.inc(read());
      },
    });
  };
  seen('rowgraph_event_store_resends_total', 'Appends sent once more, because no answer came', () => log.resends);
  seen('rowgraph_event_store_reconnections_total', 'Connections to the event store made anew', () => log.reconnections);

  const lastWriteFailed = gauge('rowgraph_last_write_failed', 'Whether the last write failed (1)', ['store']);
  const free = gauge('rowgraph_data_free_bytes', 'Free space of the disk of the data folder');
  const connections = gauge('rowgraph_pool_connections', 'Connections to the database', ['pool', 'state']);
  const up = gauge('rowgraph_up', 'Whether everything could be measured (1), or some store is unavailable (0)');
  const eventStoreUp = gauge('rowgraph_event_store_up', 'Whether the log answers (1)');
  const measured = MEASURED.map(([name, help, label]) => {
    const one = gauge(`rowgraph_${name}`, help, label === undefined ? [] : [label]);
    return (measures: Measures | null): void => {
      one.reset();
      const value = measures?.[name];
      if (typeof value === 'number') one.set(value);
      else for (const [of, count] of Object.entries(value ?? {})) one.set({ [label ?? '']: of }, count);
    };
  });

  return {
    ...createCounters(registry),
    render: async () => {
      const [measures, freeNow] = await Promise.all([inTime(measure()), inTime(written.freeBytes())]);
      const failures = written.failures();
      for (const store of WRITTEN) lastWriteFailed.set({ store }, store in failures ? 1 : 0);
      for (const { pool, ...counts } of poolUse()) {
        for (const [state, count] of Object.entries(counts)) connections.set({ pool, state }, count);
      }
      if (freeNow === null) free.remove();
      else free.set(freeNow);
      up.set(measures === null ? 0 : 1);
      eventStoreUp.set(measures?.projection_lag_seconds ? 1 : 0);
      for (const set of measured) set(measures);
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
};

/** Counters and timers, updated by this process. */
const createCounters = (registry: Registry) => {
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[]): Counter<L> =>
    new Counter({ name, help, labelNames: [...labelNames], registers: [registry] });
  const histogram = <L extends string>(
    name: string,
    help: string,
    labelNames: readonly L[],
    buckets = SECONDS,
  ): Histogram<L> => new Histogram({ name, help, labelNames: [...labelNames], buckets, registers: [registry] });
  return {
    appends: counter('rowgraph_appends_total', 'Appends to the log', ['stream', 'outcome']),
    appendSeconds: histogram('rowgraph_append_duration_seconds', 'How long an append takes', ['stream']),
    catchUpSeconds: histogram('rowgraph_catch_up_duration_seconds', 'How long requests wait for the read models', []),
    events: counter('rowgraph_events_total', 'Events appended', ['type']),
    commands: counter('rowgraph_commands_total', 'Commands decided', ['type', 'outcome']),
    exports: counter('rowgraph_exports_total', 'Ends of attempts at export jobs', ['outcome']),
    startupSeconds: histogram(
      'rowgraph_instance_startup_seconds',
      'Time to a running instance',
      ['phase'],
      LONG_SECONDS,
    ),
    requests: counter('rowgraph_http_requests_total', 'Requests answered', ['api', 'method', 'status']),
    refusedCalls: counter('rowgraph_refused_calls_total', 'Calls refused for who sends them', ['api', 'status']),
    requestSeconds: histogram('rowgraph_http_request_duration_seconds', 'How long an answer takes', ['api', 'method']),
  };
};

/** Null on failure or timeout. */
const inTime = async <A>(work: Promise<A>): Promise<A | null> =>
  (await settlesWithin(work, MEASURE_WITHIN_MS).catch(() => false)) ? work : null;

/** One gauge per row: name without `rowgraph_`, help, and the label of its values. */
const MEASURED = [
  [
    'projection_lag_seconds',
    'Age of the oldest event a read model, or the processes, have not passed; 0 at the end of the log',
    'projection',
  ],
  [
    'parked_events',
    'Events that a read model or the processes could not apply, with the later events of their streams',
    'reader',
  ],
  ['process_commands', 'Commands of processes that wait to be executed', 'command'],
  ['process_commands_stuck', 'Those tried ten times or more, or left lying for five minutes'],
  ['process_command_oldest_seconds', 'How long the most overdue command has been due'],
  ['process_timers', 'Timers of processes that are set'],
  ['process_timers_overdue', 'Timers that should have fired a minute ago'],
  ['instances', 'Instances by status', 'status'],
  ['snapshots', 'Snapshots by status', 'status'],
  ['export_jobs', 'Export jobs by status', 'status'],
  ['pods', 'Pods by phase, as their runtime lists them', 'phase'],
  ['pods_missing', 'Instances whose pod is gone'],
  ['pods_orphaned', 'Pods that no instance wants'],
  ['job_last_success_timestamp_seconds', 'When a background job last succeeded', 'job'],
  ['job_last_run_failed', 'Whether the last run of a background job failed (1)', 'job'],
  ['seal_timestamp_seconds', 'The newest seal of the log', 'hash'],
  ['verification_differences', 'Differences that the last verification found'],
] as const satisfies readonly (readonly [name: string, help: string, label?: string])[];
