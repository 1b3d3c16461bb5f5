import { type Either, left } from 'fp-ts/Either';
import { changeLifetime, type LifecycleLimits, type RequestedLifetime } from '../config';
import { accept, type DecisionContext, existing } from '../kernel/decider';
import { mapRight } from '../kernel/either';
import { type DomainError, domainError, notFound } from '../kernel/errors';
import { canAccess, type InstanceAccess } from './access';
import { type InstanceEvent } from './events';
import { GIB, type PodLock } from './pod';
import { type Instance, isBeingDeleted } from './state';

/** Commands that only the owner, an admin, ops or the system itself may give. */
export type OwnerCommand =
  | { readonly type: 'RequestDeletion'; readonly reason: string }
  /** Absent fields do not change. */
  | {
      readonly type: 'DescribeInstance';
      readonly name?: string | undefined;
      readonly description?: string | undefined;
    }
  | ({ readonly type: 'ChangeInstanceLifetime'; readonly limits: LifecycleLimits } & RequestedLifetime)
  | { readonly type: 'ChangeInstanceAccess'; readonly access: InstanceAccess }
  /** `lock`: the current lock as the pod reports it. */
  | { readonly type: 'UpdateCpu'; readonly cpuCores: number; readonly lock: PodLock | null }
  | {
      readonly type: 'UpgradeMemory';
      readonly memoryBytes: number;
      /** `user_request`, or the reason of the system. */
      readonly reason: string;
      readonly lock: PodLock | null;
    };

type Events = readonly InstanceEvent[];
type Command<T extends OwnerCommand['type']> = Extract<OwnerCommand, { type: T }>;

/** Rejects a command for an unknown or deleted instance. */
export const requireNotDeleted = <C, D extends Either<DomainError, Events>>(
  decide: (command: C, state: Instance, context: DecisionContext) => D,
) =>
  existing<Instance>('instance')((command: C, state, context) =>
    state.status === 'deleted' ? left(notFound('instance', state.instanceId)) : decide(command, state, context),
  );

/** Allows the owner, admins, ops and the system itself. Users without access get the error for an unknown instance. */
const requireOwner = <C extends OwnerCommand, D extends Either<DomainError, Events>>(
  decide: (command: C, state: Instance) => D,
) =>
  requireNotDeleted((command: C, state, { actor }) => {
    if (!canAccess(state, actor)) return left(notFound('instance', state.instanceId));
    return actor.role === 'analyst' && actor.username !== state.ownerUsername
      ? left(notOwner(state, actor))
      : decide(command, state);
  });

export const idsOf = ({ instanceId, ownerUsername }: Instance) => ({ instanceId, ownerUsername });

/** Commands allowed to the owner of the instance, and to admins, ops and the system for any instance. */
export const ownerDecisions = {
  RequestDeletion: requireOwner(({ reason }: Command<'RequestDeletion'>, state): Either<never, Events> => {
    const data = { ...idsOf(state), reason };
    return accept(isBeingDeleted(state) ? [] : [{ type: 'InstanceStopping', data }]);
  }),

  DescribeInstance: requireOwner((command: Command<'DescribeInstance'>, state): Either<never, Events> => {
    const { name = state.name, description = state.description } = command;
    const isSame = name === state.name && description === state.description;
    return accept(isSame ? [] : [{ type: 'InstanceDescribed', data: { ...idsOf(state), name, description } }]);
  }),

  ChangeInstanceLifetime: requireOwner((command: Command<'ChangeInstanceLifetime'>, state) =>
    mapRight(changeLifetime(state, command, command.limits), ({ ttl, inactivityTimeout }): Events => {
      const isSame = ttl === state.ttl && inactivityTimeout === state.inactivityTimeout;
      const data = { ...idsOf(state), ttl, inactivityTimeout };
      return isSame ? [] : [{ type: 'InstanceLifetimeChanged', data }];
    }),
  ),

  ChangeInstanceAccess: requireOwner(({ access }: Command<'ChangeInstanceAccess'>, state): Either<never, Events> => {
    const isSame = access.mode === state.access.mode && access.users.join() === state.access.users.join();
    return accept(isSame ? [] : [{ type: 'InstanceAccessChanged', data: { ...idsOf(state), access } }]);
  }),

  UpdateCpu: requireOwner(({ cpuCores, lock }: Command<'UpdateCpu'>, state): Resized => {
    const obstacle = resizeError(state, lock);
    if (obstacle !== null) return left(obstacle);
    const data = { ...idsOf(state), oldCpuCores: state.cpuCores, newCpuCores: cpuCores };
    return accept(cpuCores === state.cpuCores ? [] : [{ type: 'InstanceCpuUpdated', data }]);
  }),

  UpgradeMemory: requireOwner(({ memoryBytes, reason, lock }: Command<'UpgradeMemory'>, state): Resized => {
    const obstacle = resizeError(state, lock);
    if (obstacle !== null) return left(obstacle);
    const { instanceId, memoryBytes: oldMemoryBytes, status } = state;
    if (memoryBytes === oldMemoryBytes) return accept([]);
    if (memoryBytes < oldMemoryBytes) {
      const size = oldMemoryBytes / GIB;
      const message = `Instance ${instanceId} has ${size} GiB of memory, and memory can only be increased; request more, or create a smaller instance.`;
      return left(domainError('INVALID_STATE', message, { current_status: status, current_memory_gb: size }));
    }
    const data = { ...idsOf(state), oldMemoryBytes, newMemoryBytes: memoryBytes, reason };
    return accept([{ type: 'InstanceMemoryUpgraded', data }]);
  }),
};

type ResizeError = DomainError<'INVALID_STATE' | 'RESOURCE_LOCKED'>;
type Resized = Either<ResizeError, Events>;

const resizeError = ({ instanceId, status }: Instance, lock: PodLock | null): ResizeError | null => {
  if (status !== 'running') {
    const message = `Instance ${instanceId} is ${status}; its size can be changed while it is running.`;
    return domainError('INVALID_STATE', message, { current_status: status });
  }
  if (lock === null) return null;
  const message = `Instance ${instanceId} is locked by the algorithm ${lock.algorithmName ?? '(unnamed)'}; try again when it has ended.`;
  return domainError('RESOURCE_LOCKED', message, {
    instance_id: instanceId,
    holder_username: lock.holderUsername,
    algorithm_name: lock.algorithmName,
    execution_id: lock.executionId,
  });
};

const notOwner = (state: Instance, actor: DecisionContext['actor']) =>
  domainError(
    'PERMISSION_DENIED',
    `Instance ${state.instanceId} belongs to ${state.ownerUsername}; only the owner, an admin or ops may do this.`,
    { owner_username: state.ownerUsername, your_role: actor.role },
  );
