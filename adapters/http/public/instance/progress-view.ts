import { isRight } from 'fp-ts/Either';
import * as t from 'io-ts';
import { type ExportStep } from '../../../../queries/instance-steps';
import { type InstanceDetailView } from '../../../../queries/instances';

const StepStatus = t.keyof({ pending: null, in_progress: null, completed: null, failed: null });
type StepStatus = t.TypeOf<typeof StepStatus>;

const TableStep = t.intersection([
  t.strict({ name: t.string, type: t.keyof({ node: null, edge: null }), status: StepStatus }),
  t.partial({ row_count: t.number, completed_at: t.string }),
]);

const Step = t.intersection([
  t.strict({ name: t.string, status: StepStatus }),
  t.partial({ completed_at: t.string, tables: t.readonlyArray(TableStep) }),
]);

/** How far an instance is. Which fields are there depends on its state. */
export const InstanceProgress = t.intersection([
  t.strict({ id: t.number, status: t.string, phase: t.string, started_at: t.union([t.string, t.null]) }),
  t.partial({
    steps: t.readonlyArray(Step),
    completed_steps: t.number,
    total_steps: t.number,
    elapsed_seconds: t.number,
    ready_at: t.union([t.string, t.null]),
    startup_duration_seconds: t.number,
    error_code: t.union([t.string, t.null]),
    error_message: t.union([t.string, t.null]),
  }),
]);
export type InstanceProgress = t.TypeOf<typeof InstanceProgress>;

const PodProgress = t.strict({
  phase: t.string,
  steps: t.readonlyArray(
    t.intersection([
      t.strict({ name: t.string, status: StepStatus }),
      t.partial({ type: t.keyof({ node: null, edge: null }), row_count: t.number }),
    ]),
  ),
});

/** What the pod does after the export, in order; `tables` of the last two are the definitions. */
const POD_PHASES = ['fetching_mapping', 'downloading', 'checking', 'creating_schema', 'loading_nodes', 'loading_edges'];

/** The steps of an instance from its request to running: the export, then what the pod reports. */
export const progressView = (
  instance: InstanceDetailView,
  exportSteps: readonly ExportStep[],
  now: Date,
): InstanceProgress => {
  const { id, status, started_at, created_at, ready_at } = instance;
  if (status === 'running') {
    const startup = (Date.parse(ready_at ?? created_at) - Date.parse(started_at ?? created_at)) / 1000;
    return { id, status, phase: 'ready', started_at, ready_at, startup_duration_seconds: startup };
  }
  const reported = PodProgress.decode(instance.progress);
  const pod = isRight(reported) && status !== 'waiting_for_snapshot' ? reported.right : null;
  const steps = [exportStep(exportSteps, status), ...podSteps(pod)];
  return {
    id,
    status,
    phase: status === 'waiting_for_snapshot' ? 'exporting' : (instance.failed_phase ?? pod?.phase ?? status),
    started_at,
    steps,
    completed_steps: steps.filter((step) => step.status === 'completed').length,
    total_steps: steps.length,
    elapsed_seconds: Math.round((now.getTime() - Date.parse(created_at)) / 100) / 10,
    ...(status === 'failed' ? { error_code: instance.error_code, error_message: instance.error_message } : {}),
  };
};

type Step = t.TypeOf<typeof Step>;

const exportStep = (steps: readonly ExportStep[], instanceStatus: string): Step => {
  const tables = steps.map(({ name, type, status, row_count, completed_at }) => ({
    name,
    type,
    status,
    ...(row_count === null ? {} : { row_count }),
    ...(completed_at === null ? {} : { completed_at }),
  }));
  const done = steps.length > 0 && steps.every((step) => step.status === 'completed');
  const failed = steps.some((step) => step.status === 'failed');
  const active = instanceStatus === 'waiting_for_snapshot' ? 'in_progress' : 'pending';
  return { name: 'exporting', status: done ? 'completed' : failed ? 'failed' : active, tables };
};

const podSteps = (pod: t.TypeOf<typeof PodProgress> | null): readonly Step[] => {
  const at = pod === null ? -1 : pod.phase === 'ready' ? POD_PHASES.length : POD_PHASES.indexOf(pod.phase);
  return POD_PHASES.map((name, index): Step => {
    const status: StepStatus = index < at ? 'completed' : index === at ? 'in_progress' : 'pending';
    const type: 'node' | 'edge' | null = name === 'loading_nodes' ? 'node' : name === 'loading_edges' ? 'edge' : null;
    if (type === null || pod === null) return { name, status };
    // What the pod tells of a definition is about its present phase only.
    const tables = pod.steps.flatMap((step) =>
      step.type === type ? [index === at ? { ...step, type } : { name: step.name, type, status }] : [],
    );
    return { name, status, tables };
  });
};
