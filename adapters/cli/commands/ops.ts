import { left, right } from 'fp-ts/Either';
import { JobName } from '../../../domain/job';
import { type ResultOf, type Success } from '../../client';
import { type publicEndpoints } from '../../http/public/public-endpoints';
import { type Action, type ActionGroup } from '../action';
import { command } from '../command';
import { answered, failed, unknownValue } from '../failure';
import { type Columns, emptyNote, type Output, sectionOf, sizeText, tableOf } from '../output';
import { reasonOption } from '../request-options';

const countSection = (title: string, counts: Readonly<Record<string, number>>) => ({
  title,
  table: { columns: Object.keys(counts), rows: [Object.values(counts)] },
});

const listOf = <A>(value: A | null): readonly A[] => (value === null ? [] : [value]);

export const clusterCommands: ActionGroup = {
  name: 'cluster',
  summary: 'Cluster health and usage (ops)',
  actions: [
    command('getClusterHealth', 'health', 'Check all components (exit code 1: degraded)', {
      show: ({ data }) => {
        const components = Object.entries(data.components).map(([component, one]) => ({ component, ...one }));
        return {
          text: `The system is ${data.status}.${failedText(data.failed_instances)}`,
          sections: [
            sectionOf('Components', components, {
              component: 'component',
              status: 'status',
              ms: 'latency_ms',
              error: 'error',
            }),
          ],
          exitCode: data.status === 'degraded' ? 1 : undefined,
        };
      },
    }),
    command('getClusterInstances', 'instances', 'Count instances by state and owner', {
      show: ({ data }) => ({
        text: `Instances: ${data.limits.cluster_used} of ${data.limits.cluster_total}; limit per analyst: ${data.limits.per_analyst}.`,
        sections: [
          countSection(`By state (${data.total})`, data.by_status),
          sectionOf('By owner', data.by_owner, { owner: 'owner_username', instances: 'count' }),
        ],
      }),
    }),
    command('listPodsToRun', 'pods', 'List instances whose pods an external runner starts', {
      columns: {
        instance: 'instance_id',
        kind: 'wrapper_type',
        owner: 'owner_username',
        status: 'status',
        memory: ({ memory_bytes }) => sizeText(memory_bytes),
        cores: 'cpu_cores',
        slug: 'url_slug',
      },
    }),
    command('getOpsState', 'state', 'Count by state; show the last seal and verification', {
      show: ({ data }) => ({
        sections: [
          countSection(`Instances (${data.instances.total})`, data.instances.by_status),
          countSection(`Snapshots (${data.snapshots.total})`, data.snapshots.by_status),
          countSection('Export jobs', data.export_jobs.by_status),
          sectionOf('Last seal', listOf(data.seal), { seal: 'number', hash: 'hash', time: 'sealed_at' }),
          sectionOf('Last verification', listOf(data.verification), {
            ended: 'ended_at',
            events: 'events_verified',
            differences: 'differences',
          }),
        ],
      }),
    }),
  ],
};

/** Failed instances do not degrade the system. */
const failedText = (instances: number | null): string => {
  if (instances === null) return ' The number of failed instances is unknown.';
  if (instances === 0) return '';
  return ` ${instances} ${instances === 1 ? 'instance has' : 'instances have'} failed.`;
};

export const exportJobCommands: ActionGroup = {
  name: 'export-jobs',
  summary: 'List export jobs: the queries of snapshots',
  actions: [
    command('listExportJobs', 'list', 'List export jobs, newest first (analysts: their own)', {
      columns: {
        id: 'id',
        snapshot: 'snapshot_id',
        exports: ({ entity_type, entity_name }) => `${entity_type} ${entity_name}`,
        status: 'status',
        attempts: 'attempts',
        rows: 'row_count',
        size: ({ size_bytes }) => sizeText(size_bytes),
        error: 'error_message',
      },
    }),
    command('countPendingExportJobs', 'pending', 'Count export jobs that wait for a worker', {
      text: ({ pendingCount }) => String(pendingCount),
    }),
  ],
};

const JOBS = Object.keys(JobName.keys);

const show: Action = {
  usage: 'show <job>',
  summary: 'Show the latest runs of a job',
  choices: { job: JOBS },
  run: async ({ api }, input) => {
    const name = input.argument(0);
    if (!JobName.is(name)) return left(unknownValue('job', name, JOBS));
    return answered(api.getJobsStatus(), ({ data }) => {
      const runs = data.jobs.find((job) => job.name === name)?.last_runs ?? [];
      const table = tableOf(runs, {
        started: 'started_at',
        ended: 'ended_at',
        'triggered by': 'triggered_by',
        result: ({ result, error }) => error?.message ?? result,
      });
      return { data: runs, table, note: emptyNote(runs, `${name} has not run yet.`) };
    });
  },
};

export const jobCommands: ActionGroup = {
  name: 'jobs',
  summary: 'Background jobs (ops)',
  actions: [
    command('getJobsStatus', 'list', 'List background jobs and their health', {
      show: ({ data }) => ({
        table: tableOf(data.jobs, {
          job: 'name',
          schedule: 'schedule',
          health: 'health_status',
          'last success': 'last_success_at',
          'last failure': 'last_failure_at',
          'next run': ({ next_run_at, running_since }) => (running_since === null ? next_run_at : 'running'),
        }),
        note: data.runs_on === null ? 'No replica runs the jobs now.' : undefined,
      }),
    }),
    show,
    command('triggerJob', 'trigger <job>', 'Run a job (at most once per minute)', {
      arguments: ['job_name'],
      options: [reasonOption],
      examples: ['jobs trigger schema_cache --reason "new tables"'],
      show: ({ data }) => ({
        text: `Job ${data.job_name}: ${data.status}.`,
        note: `See: rowgraph jobs show ${data.job_name}`,
      }),
    }),
  ],
};

type ParkedEvent = ResultOf<typeof publicEndpoints.listParkedEvents>[number];

const placeOf = ({ event_stream_id, event_revision }: ParkedEvent): string => `${event_stream_id}@${event_revision}`;

const eventColumns: Columns<ParkedEvent> = {
  position: 'position',
  event: 'event_type',
  'in the log': placeOf,
  error: ({ error }) => error ?? 'blocked by an earlier event',
};

const outcome = ({ data }: Success<ResultOf<typeof publicEndpoints.retryParkedEvents>>): Partial<Output> => ({
  text: `Applied: ${data.applied}; still parked: ${data.remaining}.`,
  ...(data.error === null ? {} : { note: `The first event failed again: ${data.error}`, exitCode: 1 }),
});

export const parkedCommands: ActionGroup = {
  name: 'parked',
  summary: 'Manage events that could not be applied (ops)',
  actions: [
    command('listParkedEvents', 'list', 'List parked events', {
      columns: { reader: 'reader', stream: 'stream_id', ...eventColumns },
    }),
    command('listParkedEvents', 'show <reader> <stream>', 'Show the event that blocks a stream, and its error', {
      arguments: ['reader', 'stream_id'],
      fixed: { limit: 100 },
      examples: ['parked show instances instance-42'],
      show: ({ data, page }, { input }) => {
        const [reader, stream] = [input.argument(0), input.argument(1)];
        const [first, ...later] = data;
        if (first === undefined)
          return left(failed(`${reader} has no parked events of ${stream}.`, 'See: rowgraph parked list'));
        return right({
          record: [
            ['reader', reader],
            ['stream', stream],
            ['position', first.position],
            ['event', first.event_type],
            ['in the log', placeOf(first)],
            ['error', first.error],
            ['attempts', first.attempts],
            ['parked', first.parked_at],
            ['last failed', first.last_failed_at],
            ['blocked', (page?.total ?? data.length) - 1],
          ],
          sections: [sectionOf('Blocked', later, eventColumns)],
          note:
            `On the server: rowgraph log show --position ${first.position}\n` +
            `After the fix: rowgraph parked retry ${reader} ${stream} --reason <text>`,
        });
      },
    }),
    command('retryParkedEvents', 'retry <reader> <stream>', 'Apply the parked events of a stream again', {
      arguments: ['reader', 'stream_id'],
      options: [reasonOption],
      examples: ['parked retry instances instance-42 --reason "handler fixed"'],
      show: outcome,
    }),
    command(
      'skipParkedEvent',
      'skip <reader> <stream> <position>',
      'Skip the event that blocks a stream, apply the others',
      {
        arguments: ['reader', 'stream_id', 'position'],
        options: [reasonOption],
        examples: ['parked skip instances instance-42 61 --reason "instance deleted"'],
        question: (input) => `Skip the event at ${input.argument(2)} for ${input.argument(0)}?`,
        show: outcome,
      },
    ),
  ],
};
