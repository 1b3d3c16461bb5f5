import { isRight } from 'fp-ts/Either';
import * as t from 'io-ts';
import { startupReason } from '../../../../commands/instance/observe-pod';
import { oneOf } from '../../../../domain/kernel/codecs';
import { listExportSteps } from '../../../../queries/instance-steps';
import { findInstance, type FoundInstance } from '../../../../queries/instances';
import { type InstanceProgress, type Step, StepStatus, type TableStep } from '../../../../queries/views/instance';
import { type Viewer } from '../../../../queries/visible-instances';
import { type PublicDependencies } from '../public-dependencies';

const PodProgress = t.strict({
  phase: t.string,
  steps: t.readonlyArray(
    t.intersection([
      t.strict({ name: t.string, status: StepStatus }),
      t.partial({ type: oneOf('node', 'edge'), row_count: t.number }),
    ]),
  ),
});

/** Phases of the pod after the export, in order; `tables` of the last two are the definitions. */
const POD_PHASES = ['fetching_mapping', 'downloading', 'checking', 'creating_schema', 'loading_nodes', 'loading_edges'];

type Dependencies = Pick<PublicDependencies, 'db' | 'ports' | 'work'> & {
  readonly podRuntime: Pick<PublicDependencies['podRuntime'], 'listPods'>;
};

/** The progress of an instance; null if it does not exist or the viewer may not see it. */
export const readProgress = async (
  deps: Dependencies,
  instanceId: number,
  viewer: Viewer,
): Promise<InstanceProgress | null> => {
  const instance = await findInstance(deps.db, viewer, instanceId, null);
  return instance && progressOf(deps, instance);
};

/** A running instance has finished its export. */
export const progressOf = async (deps: Dependencies, instance: FoundInstance): Promise<InstanceProgress> => {
  const exportSteps = instance.status === 'running' ? [] : await listExportSteps(deps.db, instance.id);
  const detail = instance.status === 'starting' ? await startupReason(deps, instance.id) : null;
  return { ...progressView(instance, exportSteps, deps.ports.clock.now()), ...(detail === null ? {} : { detail }) };
};

/** All steps of an instance up to running: the export, then the phases that the pod reports. */
const progressView = (instance: FoundInstance, exportSteps: readonly TableStep[], now: Date): InstanceProgress => {
  const { id, status, started_at, created_at, ready_at } = instance;
  if (status === 'running') {
    const startup = (Date.parse(ready_at ?? created_at) - Date.parse(started_at ?? created_at)) / 1000;
    return { id, status, phase: 'ready', started_at, ready_at, startup_duration_seconds: startup };
  }
  const reported = PodProgress.decode(instance.reported_progress);
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

const exportStep = (tables: readonly TableStep[], instanceStatus: string): Step => {
  const done = tables.length > 0 && tables.every((table) => table.status === 'completed');
  const failed = tables.some((table) => table.status === 'failed');
  const active = instanceStatus === 'waiting_for_snapshot' ? 'in_progress' : 'pending';
  return { name: 'exporting', status: done ? 'completed' : failed ? 'failed' : active, tables };
};

const podSteps = (pod: t.TypeOf<typeof PodProgress> | null): readonly Step[] => {
  const at = pod === null ? -1 : pod.phase === 'ready' ? POD_PHASES.length : POD_PHASES.indexOf(pod.phase);
  return POD_PHASES.map((name, index): Step => {
    const status: StepStatus = index < at ? 'completed' : index === at ? 'in_progress' : 'pending';
    const type: 'node' | 'edge' | null = name === 'loading_nodes' ? 'node' : name === 'loading_edges' ? 'edge' : null;
    if (type === null || pod === null) return { name, status };
    // The pod reports definitions for its current phase only.
    const tables = pod.steps.flatMap((step) =>
      step.type === type ? [index === at ? { ...step, type } : { name: step.name, type, status }] : [],
    );
    return { name, status, tables };
  });
};
