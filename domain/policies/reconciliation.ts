import { type InstanceStatus, type PodStatus } from '../instance';

/** The state of an instance by its stream. */
export interface ReconciledInstance {
  readonly instanceId: number;
  readonly urlSlug: string;
  readonly status: InstanceStatus;
  /** Revision of its last event: what is decided here holds for nothing later. */
  readonly revision: number;
  /** When it came into its status. */
  readonly statusSince: Date;
  /** When its present pod was ordered; null before it needs one. */
  readonly podOrderedAt: Date | null;
  /** While it waits for its snapshot or its pod: when it has waited long enough. */
  readonly deadline: Date | null;
}

/** A place within the limits, and since when it is taken. */
export interface HeldSlot {
  readonly instanceId: number;
  readonly since: Date;
}

/** What is there, read in this order: first the pods, then the slots, then the streams of all instances they name. */
export interface SystemView {
  /** When the reading began: what came into being later is none of this run's business. */
  readonly readAt: Date;
  /** Null where an outside runner runs the pods. */
  readonly pods: readonly PodStatus[] | null;
  readonly slots: readonly HeldSlot[];
  /** By id; an instance that has no entry was never requested. */
  readonly instances: ReadonlyMap<number, ReconciledInstance>;
}

/** The repair of one difference. `revision`: only if the instance has not changed since. */
export type Repair =
  | { readonly kind: 'delete_pod'; readonly instanceId: number; readonly urlSlug: string; readonly why: string }
  | {
      readonly kind: 'report_pod_lost';
      readonly instanceId: number;
      readonly revision: number;
      readonly reason: string;
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
  /** `neverRequested`: its instance may still come, and must not any more. */
  | { readonly kind: 'release_slot'; readonly instanceId: number; readonly neverRequested: boolean };

export interface Reconciliation {
  readonly repairs: readonly Repair[];
  /** Deletions that were more than one run may do by itself, and are left out of `repairs`; 0 otherwise. */
  readonly suspendedDeletions: number;
}

/** Seconds the processes have to do the same by themselves, in the usual way, before they are helped. */
const PATIENCE = { podCreation: 120, deletion: 300, slot: 300 };
/** A run deletes at most this number or share of the pods, unless it was triggered by hand. */
const DELETION_LIMIT = { pods: 5, share: 0.1 };

const GONE = 'the pod is gone';

/**
 * Compares pods, slots and instances, and answers what has to be done for them to agree. The instances' streams are
 * the truth. Orphaned pods in numbers mean that the streams are not: a wrong database, a backup. Then no pod is deleted
 * until ops orders it by hand.
 */
export const reconcile = (view: SystemView, byHand: boolean): Reconciliation => {
  const pods = view.pods === null ? [] : view.pods.flatMap((pod) => repairOfPod(pod, view));
  const instances = [...view.instances.values()].flatMap((instance) => repairOfInstance(instance, view));
  const slots = view.slots.flatMap((slot) => repairOfSlot(slot, view));
  const most = Math.max(DELETION_LIMIT.pods, Math.floor((view.pods ?? []).length * DELETION_LIMIT.share));
  const isHeldBack = pods.length > most && !byHand;
  return {
    repairs: [...(isHeldBack ? [] : pods), ...instances, ...slots],
    suspendedDeletions: isHeldBack ? pods.length : 0,
  };
};

const secondsSince = (time: Date, { readAt }: SystemView): number => (readAt.getTime() - time.getTime()) / 1000;

const repairOfPod = ({ instanceId, urlSlug, startedAt }: PodStatus, view: SystemView): readonly Repair[] => {
  if (startedAt !== null && Date.parse(startedAt) >= view.readAt.getTime()) return [];
  const instance = view.instances.get(instanceId);
  const remove = (why: string): readonly Repair[] => [{ kind: 'delete_pod', instanceId, urlSlug, why }];
  if (instance === undefined) return remove('its instance does not exist');
  if (instance.urlSlug !== urlSlug) return remove('the instance has another address');
  if (instance.status === 'starting' || instance.status === 'running') return [];
  if (secondsSince(instance.statusSince, view) < PATIENCE.deletion) return [];
  return remove(`the instance is ${instance.status}`);
};

const repairOfInstance = (instance: ReconciledInstance, view: SystemView): readonly Repair[] => {
  const { instanceId, revision, status, deadline } = instance;
  if (status === 'starting' || status === 'running') {
    const reason = view.pods === null ? null : whyPodIsLost(instance, view.pods, view);
    if (reason !== null) return [{ kind: 'report_pod_lost', instanceId, revision, reason }];
  }
  if (status === 'stopping' && hasNoPod(instance, view)) {
    return [{ kind: 'complete_deletion', instanceId, revision }];
  }
  return deadline === null || deadline > view.readAt ? [] : giveUp(instance);
};

const giveUp = ({ instanceId, revision, status }: ReconciledInstance): readonly Repair[] => {
  const ofInstance = { kind: 'give_up', instanceId, revision } as const;
  if (status === 'waiting_for_snapshot') {
    const errorMessage = `Instance ${instanceId} still waits for its snapshot after the time exports may take. Create it again.`;
    return [{ ...ofInstance, errorCode: 'EXPORT_TIMEOUT', errorMessage, failedPhase: 'export' }];
  }
  if (status !== 'starting') return [];
  const errorMessage = `The pod of instance ${instanceId} did not report running in time. Create the instance again.`;
  return [{ ...ofInstance, errorCode: 'STARTUP_FAILED', errorMessage, failedPhase: 'startup' }];
};

/** With an outside runner, a stopping instance has no pod to wait for after this time. */
const hasNoPod = ({ urlSlug, statusSince }: ReconciledInstance, view: SystemView): boolean =>
  view.pods === null
    ? secondsSince(statusSince, view) >= PATIENCE.deletion
    : statusSince < view.readAt && !view.pods.some((pod) => pod.urlSlug === urlSlug);

/** Null while the instance has its pod or may still get it. */
const whyPodIsLost = (
  { urlSlug, statusSince, status, podOrderedAt }: ReconciledInstance,
  pods: readonly PodStatus[],
  view: SystemView,
): string | null => {
  if (statusSince >= view.readAt) return null;
  const pod = pods.find((one) => one.urlSlug === urlSlug);
  if (pod !== undefined && pod.phase !== 'ended') return null;
  const isOfEarlierLife =
    pod?.startedAt != null && podOrderedAt !== null && Date.parse(pod.startedAt) < podOrderedAt.getTime();
  if (pod !== undefined && !isOfEarlierLife) return pod.reason ?? GONE;
  return status === 'starting' && secondsSince(statusSince, view) < PATIENCE.podCreation ? null : GONE;
};

const repairOfSlot = ({ instanceId, since }: HeldSlot, view: SystemView): readonly Repair[] => {
  const instance = view.instances.get(instanceId);
  const ended = instance === undefined || ['stopping', 'failed', 'deleted'].includes(instance.status);
  const freeSince = instance === undefined || instance.statusSince < since ? since : instance.statusSince;
  return ended && secondsSince(freeSince, view) >= PATIENCE.slot
    ? [{ kind: 'release_slot', instanceId, neverRequested: instance === undefined }]
    : [];
};
