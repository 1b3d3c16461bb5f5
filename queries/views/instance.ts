import * as t from 'io-ts';
import { InstanceAccess, LiveStatus, WrapperType } from '../../domain/instance';
import { nullable, oneOf } from '../../domain/kernel/codecs';
import { pick } from './pick';

export const StepStatus = oneOf('pending', 'in_progress', 'completed', 'failed');
export type StepStatus = t.TypeOf<typeof StepStatus>;

/** One definition as a part of a step. */
const TableStep = t.intersection([
  t.strict({ name: t.string, type: oneOf('node', 'edge'), status: StepStatus }),
  t.partial({ row_count: t.number, completed_at: t.string }),
]);
export type TableStep = t.TypeOf<typeof TableStep>;

const Step = t.intersection([
  t.strict({ name: t.string, status: StepStatus }),
  t.partial({ completed_at: t.string, tables: t.readonlyArray(TableStep) }),
]);
export type Step = t.TypeOf<typeof Step>;

/** The progress of an instance. The fields depend on its state. */
export const InstanceProgress = t.intersection([
  t.strict({ id: t.number, status: t.string, phase: t.string, started_at: nullable(t.string) }),
  t.partial({
    steps: t.readonlyArray(Step),
    completed_steps: t.number,
    total_steps: t.number,
    elapsed_seconds: t.number,
    /**
     * Why the pod has not started yet, in the text of what runs it: an image pull, no node with free capacity, a quota.
     */
    detail: t.string,
    ready_at: nullable(t.string),
    startup_duration_seconds: t.number,
    error_code: nullable(t.string),
    error_message: nullable(t.string),
  }),
]);
export type InstanceProgress = t.TypeOf<typeof InstanceProgress>;

export const InstanceView = t.strict({
  id: t.number,
  snapshot_id: nullable(t.number),
  snapshot_name: t.string,
  owner_username: t.string,
  wrapper_type: WrapperType,
  name: t.string,
  description: t.string,
  instance_url: nullable(t.string),
  status: LiveStatus,
  error_code: nullable(t.string),
  error_message: nullable(t.string),
  created_at: t.string,
  started_at: nullable(t.string),
  last_activity_at: nullable(t.string),
  expires_at: nullable(t.string),
  ttl: nullable(t.string),
  inactivity_timeout: t.string,
  cpu_cores: t.number,
  /** Memory the pod may use, GiB; null before its size is known. */
  memory_gb: nullable(t.number),
  memory_usage_bytes: nullable(t.number),
  /** Average cores in use between the last two reports of the pod. */
  cpu_usage_cores: nullable(t.number),
  disk_usage_bytes: nullable(t.number),
});
export type InstanceView = t.TypeOf<typeof InstanceView>;

export const InstanceDetailView = t.strict({
  ...InstanceView.type.props,
  mapping_id: t.number,
  mapping_name: t.string,
  mapping_version: t.number,
  pod_name: nullable(t.string),
  progress: nullable(InstanceProgress),
  graph_stats: nullable(t.strict({ node_count: nullable(t.number), edge_count: nullable(t.number) })),
  failed_phase: nullable(t.string),
  stack_trace: nullable(t.string),
  access: InstanceAccess,
  updated_at: t.string,
});
export type InstanceDetailView = t.TypeOf<typeof InstanceDetailView>;

/** An instance in the list of a user's instances. */
export const CountedInstance = t.strict(pick(InstanceView, 'id', 'name', 'status', 'created_at'));
export type CountedInstance = t.TypeOf<typeof CountedInstance>;

/** An instance in the list of a snapshot. */
export const InstanceOfSnapshot = t.strict(pick(InstanceView, 'id', 'name', 'status'));
export type InstanceOfSnapshot = t.TypeOf<typeof InstanceOfSnapshot>;

/** An instance in the list of a mapping. */
export const InstanceOfMapping = t.strict({
  ...pick(InstanceView, 'id', 'snapshot_id', 'snapshot_name', 'owner_username', 'wrapper_type'),
  ...pick(InstanceView, 'name', 'status', 'created_at'),
});
export type InstanceOfMapping = t.TypeOf<typeof InstanceOfMapping>;

/** An instance that needs a pod, with the parameters of the pod. */
export const PodToRun = t.strict({
  instance_id: t.number,
  url_slug: t.string,
  wrapper_type: WrapperType,
  owner_username: t.string,
  status: oneOf('starting', 'running'),
  memory_bytes: t.number,
  cpu_cores: t.number,
  created_at: t.string,
});
export type PodToRun = t.TypeOf<typeof PodToRun>;

const change = <T extends string, D extends t.Mixed>(type: T, details: D) =>
  t.strict({ id: t.number, event_type: t.literal(type), details, created_at: t.string });

/** A change of the resources of an instance. The id is the event's number in the instance's stream. */
export const InstanceEventView = t.union([
  change('cpu_updated', t.strict({ old_cpu_cores: t.number, new_cpu_cores: t.number })),
  change('memory_upgraded', t.strict({ old_memory_bytes: t.number, new_memory_bytes: t.number, reason: t.string })),
  change('oom_recovered', t.strict({ old_memory_bytes: t.number, new_memory_bytes: t.number })),
  change('resize_failed', t.strict({ memory_bytes: t.number, cpu_cores: t.number, error_message: t.string })),
]);
export type InstanceEventView = t.TypeOf<typeof InstanceEventView>;

/** An access token without its secret. */
export const AccessTokenView = t.strict({
  id: t.string,
  username: t.string,
  created_at: t.string,
  expires_at: t.string,
});
export type AccessTokenView = t.TypeOf<typeof AccessTokenView>;
