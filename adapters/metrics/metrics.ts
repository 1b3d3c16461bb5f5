import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { type Measures } from './measures';

/** What this process counts itself, and how the whole is told to Prometheus. Names and meaning: docs/metrics.md. */
export interface Metrics {
  readonly appends: Counter<'stream' | 'outcome'>;
  readonly appendSeconds: Histogram<'stream'>;
  readonly events: Counter<'type'>;
  readonly requests: Counter<'api' | 'method' | 'status'>;
  readonly requestSeconds: Histogram<'api' | 'method'>;
  /** Everything in the text format of Prometheus. What cannot be measured now is left out, and `rowgraph_up` is 0. */
  render(): Promise<{ readonly contentType: string; readonly text: string }>;
}

const SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** `measure` looks at the state of the system; it is asked once for each scrape. */
export const createMetrics = (measure: () => Promise<Measures>): Metrics => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[]): Counter<L> =>
    new Counter({ name, help, labelNames: [...labelNames], registers: [registry] });
  const histogram = <L extends string>(name: string, help: string, labelNames: readonly L[]): Histogram<L> =>
    new Histogram({ name, help, labelNames: [...labelNames], buckets: SECONDS, registers: [registry] });
  const gauge = <L extends string>(name: string, help: string, labelNames: readonly L[] = []): Gauge<L> =>
    new Gauge({ name, help, labelNames: [...labelNames], registers: [registry] });

  const up = gauge('rowgraph_up', 'Whether everything could be measured (1), or some store is away (0)');
  const measured = MEASURED.map(({ name, help, labels, read }) => {
    const one = gauge<string>(name, help, labels);
    return (measures: Measures): void => {
      one.reset();
      for (const [values, value] of read(measures)) {
        one.set(Object.fromEntries(labels.map((label, index) => [label, values[index] ?? ''])), value);
      }
    };
  });

  return {
    appends: counter('rowgraph_appends_total', 'Appends to the log', ['stream', 'outcome']),
    appendSeconds: histogram('rowgraph_append_duration_seconds', 'How long an append takes', ['stream']),
    events: counter('rowgraph_events_total', 'Events appended', ['type']),
    requests: counter('rowgraph_http_requests_total', 'Requests answered', ['api', 'method', 'status']),
    requestSeconds: histogram('rowgraph_http_request_duration_seconds', 'How long an answer takes', ['api', 'method']),
    render: async () => {
      const measures = await measure().catch(() => null);
      up.set(measures === null ? 0 : 1);
      const now = measures ?? NOTHING;
      for (const set of measured) set(now);
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
};

type Sample = readonly [labels: readonly string[], value: number];
interface Measured {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  readonly read: (measures: Measures) => readonly Sample[];
}

const byLabel = (counts: Readonly<Record<string, number>>): readonly Sample[] =>
  Object.entries(counts).map(([label, count]) => [[label], count]);
const single = (value: number | null): readonly Sample[] => (value === null ? [] : [[[], value]]);

const NOTHING: Measures = {
  feedPosition: null,
  projectionLag: {},
  parkedEvents: {},
  queuedCommands: {},
  stuckCommands: null,
  oldestCommandSeconds: null,
  timers: null,
  overdueTimers: null,
  instances: {},
  snapshots: {},
  exportJobs: {},
  pods: {},
  jobs: [],
};

const MEASURED: readonly Measured[] = [
  {
    name: 'rowgraph_feed_position',
    help: 'Position of the last event of the log',
    labels: [],
    read: ({ feedPosition }) => single(feedPosition),
  },
  {
    name: 'rowgraph_projection_lag_events',
    help: 'Positions a read model, or the processes, are behind the log',
    labels: ['projection'],
    read: ({ projectionLag }) => byLabel(projectionLag),
  },
  {
    name: 'rowgraph_parked_events',
    help: 'Events a read model, or the processes, could not take in, and those behind them',
    labels: ['reader'],
    read: ({ parkedEvents }) => byLabel(parkedEvents),
  },
  {
    name: 'rowgraph_process_commands',
    help: 'Commands of processes that wait to be executed',
    labels: ['command'],
    read: ({ queuedCommands }) => byLabel(queuedCommands),
  },
  {
    name: 'rowgraph_process_commands_stuck',
    help: 'Those tried ten times or more, or left lying for five minutes',
    labels: [],
    read: ({ stuckCommands }) => single(stuckCommands),
  },
  {
    name: 'rowgraph_process_command_oldest_seconds',
    help: 'How long the most overdue command has been due',
    labels: [],
    read: ({ oldestCommandSeconds }) => single(oldestCommandSeconds),
  },
  {
    name: 'rowgraph_process_timers',
    help: 'Timers of processes that are set',
    labels: [],
    read: ({ timers }) => single(timers),
  },
  {
    name: 'rowgraph_process_timers_overdue',
    help: 'Timers that should have fired a minute ago',
    labels: [],
    read: ({ overdueTimers }) => single(overdueTimers),
  },
  {
    name: 'rowgraph_instances',
    help: 'Instances by status',
    labels: ['status'],
    read: ({ instances }) => byLabel(instances),
  },
  {
    name: 'rowgraph_snapshots',
    help: 'Snapshots by status',
    labels: ['status'],
    read: ({ snapshots }) => byLabel(snapshots),
  },
  {
    name: 'rowgraph_export_jobs',
    help: 'Export jobs by status',
    labels: ['status'],
    read: ({ exportJobs }) => byLabel(exportJobs),
  },
  {
    name: 'rowgraph_pods',
    help: 'Pods by phase, as their runtime lists them',
    labels: ['phase'],
    read: ({ pods }) => byLabel(pods),
  },
  {
    name: 'rowgraph_job_last_success_timestamp_seconds',
    help: 'When a background job last succeeded',
    labels: ['job'],
    read: ({ jobs }) => jobs.flatMap(({ name, lastSuccess }) => (lastSuccess === null ? [] : [[[name], lastSuccess]])),
  },
  {
    name: 'rowgraph_job_last_run_failed',
    help: 'Whether the last run of a background job failed (1)',
    labels: ['job'],
    read: ({ jobs }) => jobs.map(({ name, lastRunFailed }) => [[name], lastRunFailed ? 1 : 0]),
  },
];
