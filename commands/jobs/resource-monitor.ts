import { isLeft, right } from 'fp-ts/Either';
import { instanceStream } from '../../domain/instance';
import { type DomainError } from '../../domain/kernel/errors';
import { isHighMemory, MEMORY_PRESSURE, memoryForUse } from '../../domain/policies';
import { type InstanceDirectory, type MeasuredMemory } from '../../domain/ports/directories';
import { instances } from '../kit/aggregates';
import { type Cause, type CommandPorts, contextOf } from '../kit/command-context';
import { type Done, handleCommand, requireRevision } from '../kit/handle-command';
import { loadHistory } from '../kit/load-stream';
import { countDone, type Job, outcomeOf, unlessRejected } from './job';

export interface ResourceMonitorPorts extends CommandPorts {
  readonly directory: InstanceDirectory;
}

const SYSTEM = { username: 'system:resource-monitor', role: 'system' } as const;

/** Older reports are ignored; pods report every 30 seconds. */
const OUTDATED_MS = 150_000;

/** Time of the last high memory use, by instance. Kept in memory, so a new replica needs two measurements again. */
type Seen = Map<number, { readonly measuredAt: number; readonly wasHigh: boolean }>;

/** Increases the memory of instances that are about to run out of it. */
export const resourceMonitorJob = (ports: ResourceMonitorPorts): Job => {
  let seen: Seen = new Map();
  return {
    name: 'resource_monitor',
    run: async ({ signal, cause }) => {
      const fresh: Seen = new Map();
      const failures: DomainError[] = [];
      const measurements = await ports.directory.memoryUse();
      const upgraded = await countDone(measurements, signal, failures, (measured) =>
        checkInstance(ports, measured, seen, fresh, cause),
      );
      seen = fresh;
      return outcomeOf(failures, { instances_checked: measurements.length, memory_upgrades: upgraded });
    },
  };
};

/** Whether the memory of the instance was increased. */
const checkInstance = async (
  ports: ResourceMonitorPorts,
  { instanceId, usedBytes, measuredAt }: MeasuredMemory,
  seen: Seen,
  fresh: Seen,
  cause: Cause,
): Done<boolean> => {
  const now = ports.clock.now();
  if (now.getTime() - measuredAt.getTime() > OUTDATED_MS) return right(false);
  const loaded = await loadHistory(ports.store, instances, instanceStream(instanceId));
  if (isLeft(loaded)) return loaded;
  const { state, events } = loaded.right;
  const last = events.at(-1);
  if (state?.status !== 'running' || last === undefined) return right(false);
  const before = seen.get(instanceId);
  // The same report must not count twice.
  if (before?.measuredAt === measuredAt.getTime()) {
    fresh.set(instanceId, before);
    return right(false);
  }
  const upgrades = events.flatMap((event) =>
    event.type === 'InstanceMemoryUpgraded'
      ? [{ at: new Date(event.metadata.occurredAt), reason: event.data.reason }]
      : [],
  );
  const use = { limitBytes: state.memoryBytes, usedBytes, wasHigh: before?.wasHigh ?? false, upgrades };
  fresh.set(instanceId, { measuredAt: measuredAt.getTime(), wasHigh: isHighMemory(use) });
  const memoryBytes = memoryForUse(use, now);
  if (memoryBytes === null) return right(false);
  // The running algorithm that holds the lock needs the memory, so the lock does not prevent the upgrade.
  const command = { type: 'UpgradeMemory', memoryBytes, reason: MEMORY_PRESSURE, lock: null } as const;
  const context = contextOf(ports.ids, SYSTEM, cause);
  const precondition = requireRevision(last.revision);
  const changed = await handleCommand(ports, instances, instanceStream(instanceId), command, context, precondition);
  return unlessRejected(changed, 'CONFLICT');
};
