import { isLeft, left, right } from 'fp-ts/Either';
import { CAPACITY_STREAM } from '../../domain/capacity';
import { type InstanceCommand, instanceStream } from '../../domain/instance';
import { type DomainError, domainError, unavailable } from '../../domain/kernel/errors';
import { reconcile, type ReconciledInstance, type Repair, type SystemView } from '../../domain/policies';
import { type InstanceDirectory } from '../../domain/ports/directories';
import { type PodRuntime } from '../../domain/ports/pod-runtime';
import { type ProcessWork } from '../../domain/ports/process-work';
import { type ChangeCapacity, expireReservation, releaseSlot } from '../capacity/reserve-slot';
import { refusedPodOrders } from '../instance/observe-pod';
import { instances } from '../kit/aggregates';
import { type CommandContext, type CommandPorts, contextOf } from '../kit/command-context';
import { type Done, handleCommand, requireRevision } from '../kit/handle-command';
import { loadStream } from '../kit/load-stream';
import { type Job, type JobRun, outcomeOf } from './job';
import { heldSlots, loadReconciled } from './load-reconciled';

export interface ReconciliationPorts extends CommandPorts {
  readonly changeCapacity: ChangeCapacity;
  readonly podRuntime: PodRuntime;
  readonly directory: InstanceDirectory;
  readonly work: Pick<ProcessWork, 'stuckCommands' | 'failureOf'>;
  /** Called with every repair and every failed repair. */
  readonly onFinding: (finding: string, details: Readonly<Record<string, unknown>>) => void;
}

const SYSTEM = { username: 'system:reconciliation', role: 'system' } as const;

const COUNTED_AS = {
  delete_pod: 'pods_deleted',
  report_pod_lost: 'lost_pods_recorded',
  complete_deletion: 'instances_deleted',
  give_up: 'instances_failed',
  release_slot: 'slots_released',
} as const satisfies Record<Repair['kind'], string>;

/**
 * Repairs differences between pods, slots and instances: effects of lost calls and of outside interference. It sends
 * the same commands as the processes, at the revision that it has read, so that the two do not conflict.
 */
export const reconciliationJob = (ports: ReconciliationPorts): Job => ({
  name: 'reconciliation',
  run: async (run) => {
    const view = await observe(ports);
    if (isLeft(view)) return view;
    const { repairs, suspendedDeletions } = reconcile(view.right.view, run.triggeredBy !== null);
    const { counts, failures } = await repairAll(ports, repairs, run);
    const stuck = await ports.work.stuckCommands();
    for (const command of stuck) ports.onFinding('a command of a process cannot be executed', { ...command });
    if (suspendedDeletions > 0) failures.push(tooManyDeletions(suspendedDeletions, view.right.view));
    failures.push(...view.right.failures);
    return outcomeOf(failures, { ...counts, commands_stuck: stuck.length });
  },
});

/**
 * The current state of the system. An instance with an unreadable stream is omitted with its pod and slot, and reported
 * as a failure.
 */
const observe = async (
  ports: ReconciliationPorts,
): Done<{ readonly view: SystemView; readonly failures: readonly DomainError[] }> => {
  const { podRuntime, clock, directory, store, work } = ports;
  const readAt = clock.now();
  const listed = podRuntime.managesPods ? await podRuntime.listPods() : right(null);
  if (isLeft(listed)) return left(unavailable('The list of pods', listed.left.reason));
  const held = await loadStream(ports, heldSlots, CAPACITY_STREAM);
  if (isLeft(held)) return held;
  const slots = [...held.right.state.values()];
  const known = new Map<number, ReconciledInstance>();
  const unreadable = new Set<number>();
  const failures: DomainError[] = [];
  const named = [...(listed.right ?? []), ...slots].map(({ instanceId }) => instanceId);
  for (const id of new Set([...(await directory.unsettled()), ...named])) {
    const loaded = await loadReconciled(store, id);
    if (isLeft(loaded)) {
      failures.push(loaded.left);
      unreadable.add(id);
    } else if (loaded.right !== null) known.set(id, loaded.right);
  }
  const readable = ({ instanceId }: { readonly instanceId: number }): boolean => !unreadable.has(instanceId);
  const pods = listed.right?.filter(readable) ?? null;
  const refusedOrders = await refusedPodOrders(work, known.values());
  return right({ view: { readAt, pods, slots: slots.filter(readable), instances: known, refusedOrders }, failures });
};

const repairAll = async (ports: ReconciliationPorts, repairs: readonly Repair[], run: JobRun) => {
  const counts: Record<string, number> = Object.fromEntries(Object.values(COUNTED_AS).map((name) => [name, 0]));
  const failures: DomainError[] = [];
  for (const repair of repairs) {
    if (run.signal.aborted) break;
    const done = await repairOne(ports, repair, contextOf(ports.ids, SYSTEM, run.cause), run.signal);
    if (!isLeft(done)) {
      ports.onFinding('the system was repaired', findingOf(repair));
      counts[COUNTED_AS[repair.kind]] = (counts[COUNTED_AS[repair.kind]] ?? 0) + 1;
    } else if (done.left.code !== 'CONFLICT') failures.push(done.left);
    // Concurrently changed instances are checked again in the next run.
  }
  return { counts, failures };
};

/** A repair without the slug, which is secret. */
const findingOf = (repair: Repair): Readonly<Record<string, unknown>> => {
  if (repair.kind !== 'delete_pod') return repair;
  const { urlSlug: _urlSlug, ...shown } = repair;
  return shown;
};

const repairOne = async (
  ports: ReconciliationPorts,
  repair: Repair,
  context: CommandContext,
  signal: AbortSignal,
): Done => {
  const { instanceId } = repair;
  const change = (revision: number, command: InstanceCommand): Done =>
    handleCommand(ports, instances, instanceStream(instanceId), command, context, requireRevision(revision));
  switch (repair.kind) {
    case 'delete_pod': {
      const deleted = await ports.podRuntime.deletePod(repair, signal);
      if (!isLeft(deleted)) return deleted;
      return left(unavailable(`The pod of instance ${instanceId}`, deleted.left.reason));
    }
    case 'report_pod_lost':
      return change(repair.revision, { type: 'ReportPodLost', life: repair.life, end: repair.end });
    case 'complete_deletion': {
      // A deleted instance releases its slot.
      const released = await releaseSlot(ports, instanceId, context);
      return isLeft(released) ? released : change(repair.revision, { type: 'CompleteDeletion' });
    }
    case 'give_up': {
      const { errorCode, errorMessage, failedPhase } = repair;
      return change(repair.revision, { type: 'FailInstance', errorCode, errorMessage, failedPhase });
    }
    case 'release_slot':
      return repair.neverRequested
        ? expireReservation(ports, instanceId, context)
        : releaseSlot(ports, instanceId, context);
  }
};

const tooManyDeletions = (deletions: number, { pods }: SystemView): DomainError =>
  domainError(
    'INVALID_STATE',
    `${deletions} of ${pods?.length ?? 0} pods have no instance, more than one run may delete; none was deleted. ` +
      'Check that this is the right database and not an old backup, then trigger the job reconciliation.',
    { orphaned_pods: deletions, pods: pods?.length ?? 0 },
  );
