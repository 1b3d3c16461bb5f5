import { type InstanceStatus, type PodEnd, type PodStatus } from '../instance';

/** The state of an instance by its stream. */
export interface ReconciledInstance {
  readonly instanceId: number;
  readonly urlSlug: string;
  readonly status: InstanceStatus;
  /** Revision of its last event; a repair applies only while it is the last. */
  readonly revision: number;
  /** Time of the change to its status. */
  readonly statusSince: Date;
  /** The life of the latest pod; 0 before the first one. */
  readonly life: number;
  readonly isBeingDeleted: boolean;
  /** Deadline for its snapshot or its pod, while it waits for one. */
  readonly deadline: Date | null;
}

/** A slot, and the time of its reservation. */
export interface HeldSlot {
  readonly instanceId: number;
  readonly since: Date;
}

/** The observed state, read in this order: the pods, the slots, the streams of all instances that they name. */
export interface SystemView {
  /** When reading began; a run ignores everything created later. */
  readonly readAt: Date;
  /** Null if an external runner runs the pods. */
  readonly pods: readonly PodStatus[] | null;
  readonly slots: readonly HeldSlot[];
  /** By id; an instance without an entry was never requested. */
  readonly instances: ReadonlyMap<number, ReconciledInstance>;
  /** Why the runtime has not accepted the order for the pod of an instance, which is repeated; by id of the instance. */
  readonly refusedOrders: ReadonlyMap<number, string>;
}

/** The repair of one difference. `revision`: applies only if the instance has not changed since. */
export type Repair =
  | {
      readonly kind: 'delete_pod';
      readonly instanceId: number;
      readonly urlSlug: string;
      readonly life: number;
      readonly why: string;
    }
  | {
      readonly kind: 'report_pod_lost';
      readonly instanceId: number;
      readonly revision: number;
      readonly life: number;
      readonly end: PodEnd;
    }
  | { readonly kind: 'complete_deletion'; readonly instanceId: number; readonly revision: number }
  | {
      readonly kind: 'give_up';
      readonly instanceId: number;
      readonly revision: number;
      readonly errorCode: 'EXPORT_TIMEOUT' | 'STARTUP_FAILED';
      readonly errorMessage: string;
      readonly failedPhase: 'export' | 'startup';
    }
  /** `neverRequested`: the instance was never requested, and a later request must be rejected. */
  | { readonly kind: 'release_slot'; readonly instanceId: number; readonly neverRequested: boolean };

export interface Reconciliation {
  readonly repairs: readonly Repair[];
  /** Number of deletions above the limit of an untriggered run, which are not in `repairs`; 0 otherwise. */
  readonly suspendedDeletions: number;
}

/** Seconds that the processes have to reach the same state before a repair. */
const GRACE_SECONDS = { podCreation: 120, deletion: 300, slot: 300 };
/** The maximum number and share of pods that a run deletes, unless it was triggered manually. */
const DELETION_LIMIT = { pods: 5, share: 0.1 };

const MISSING: PodEnd = { cause: 'missing', text: 'the pod is gone' };

/**
 * Compares pods, slots and instances, and returns the repairs that make them agree. The streams of the instances are
 * authoritative. Many orphaned pods suggest the wrong database or an old backup; no pod is deleted then until ops
 * triggers the job manually.
 */
export const reconcile = (view: SystemView, isManual: boolean): Reconciliation => {
  const pods = view.pods === null ? [] : view.pods.flatMap((pod) => repairOfPod(pod, view));
  const instances = [...view.instances.values()].flatMap((instance) => repairOfInstance(instance, view));
  const slots = view.slots.flatMap((slot) => repairOfSlot(slot, view));
  const most = Math.max(DELETION_LIMIT.pods, Math.floor((view.pods ?? []).length * DELETION_LIMIT.share));
  const isSuspended = pods.length > most && !isManual;
  return {
    repairs: [...(isSuspended ? [] : pods), ...instances, ...slots],
    suspendedDeletions: isSuspended ? pods.length : 0,
  };
};

const secondsSince = (time: Date, { readAt }: SystemView): number => (readAt.getTime() - time.getTime()) / 1000;

const repairOfPod = ({ instanceId, urlSlug, life }: PodStatus, view: SystemView): readonly Repair[] => {
  const instance = view.instances.get(instanceId);
  const remove = (why: string): readonly Repair[] => [{ kind: 'delete_pod', instanceId, urlSlug, life, why }];
  if (instance === undefined) return remove('its instance does not exist');
  if (instance.urlSlug !== urlSlug) return remove('the instance has another address');
  if (life < instance.life && secondsSince(instance.statusSince, view) >= GRACE_SECONDS.podCreation) {
    return remove('the instance has a newer pod');
  }
  if (instance.status === 'starting' || instance.status === 'running') return [];
  if (secondsSince(instance.statusSince, view) < GRACE_SECONDS.deletion) return [];
  return remove(`the instance is ${instance.status}`);
};

const repairOfInstance = (instance: ReconciledInstance, view: SystemView): readonly Repair[] => {
  const { instanceId, revision, status, deadline, life, isBeingDeleted } = instance;
  if (status === 'starting' || status === 'running' || (status === 'stopping' && !isBeingDeleted)) {
    const end = view.pods === null ? interruptionReason(instance, view) : podLossReason(instance, view.pods, view);
    if (end !== null) return [{ kind: 'report_pod_lost', instanceId, revision, life, end }];
  }
  if (isBeingDeleted && hasNoPod(instance, view)) return [{ kind: 'complete_deletion', instanceId, revision }];
  return deadline === null || deadline > view.readAt ? [] : giveUp(instance, view);
};

const giveUp = (
  { instanceId, revision, status, life }: ReconciledInstance,
  { pods, refusedOrders }: SystemView,
): readonly Repair[] => {
  const ofInstance = { kind: 'give_up', instanceId, revision } as const;
  if (status === 'waiting_for_snapshot') {
    const errorMessage = `Instance ${instanceId} still waits for its snapshot after the time exports may take. Create it again.`;
    return [{ ...ofInstance, errorCode: 'EXPORT_TIMEOUT', errorMessage, failedPhase: 'export' }];
  }
  if (status !== 'starting') return [];
  const reason =
    pods?.find((pod) => pod.instanceId === instanceId && pod.life === life)?.reason ??
    refusedOrders.get(instanceId) ??
    null;
  const detail = reason === null ? '' : ` The pod runtime reports: ${reason}`;
  const errorMessage = `The pod of instance ${instanceId} did not report running in time. Create the instance again.${detail}`;
  return [{ ...ofInstance, errorCode: 'STARTUP_FAILED', errorMessage, failedPhase: 'startup' }];
};

/** With an external runner, a stopping instance is assumed to have no pod after this time. */
const hasNoPod = ({ urlSlug, statusSince }: ReconciledInstance, view: SystemView): boolean =>
  view.pods === null
    ? secondsSince(statusSince, view) >= GRACE_SECONDS.deletion
    : statusSince < view.readAt && !view.pods.some((pod) => pod.urlSlug === urlSlug);

/** With an external runner, an interrupted instance is assumed to have lost its pod after this time. */
const interruptionReason = ({ status, statusSince }: ReconciledInstance, view: SystemView): PodEnd | null =>
  status === 'stopping' && secondsSince(statusSince, view) >= GRACE_SECONDS.deletion ? MISSING : null;

/** Null while the instance has its pod or may still get it. */
const podLossReason = (
  { instanceId, urlSlug, statusSince, status, life }: ReconciledInstance,
  pods: readonly PodStatus[],
  view: SystemView,
): PodEnd | null => {
  if (statusSince >= view.readAt) return null;
  const pod = pods.find((one) => one.urlSlug === urlSlug && one.life === life);
  if (pod !== undefined) return pod.phase === 'ended' ? (pod.end ?? MISSING) : null;
  const isExpected = view.refusedOrders.has(instanceId) || secondsSince(statusSince, view) < GRACE_SECONDS.podCreation;
  return status === 'starting' && isExpected ? null : MISSING;
};

const repairOfSlot = ({ instanceId, since }: HeldSlot, view: SystemView): readonly Repair[] => {
  const instance = view.instances.get(instanceId);
  const ended = instance === undefined || instance.isBeingDeleted || ['failed', 'deleted'].includes(instance.status);
  const freeSince = instance === undefined || instance.statusSince < since ? since : instance.statusSince;
  return ended && secondsSince(freeSince, view) >= GRACE_SECONDS.slot
    ? [{ kind: 'release_slot', instanceId, neverRequested: instance === undefined }]
    : [];
};
