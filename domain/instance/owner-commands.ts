import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { changeLifetime } from '../config';
import { type DecisionContext } from '../kernel/decider';
import { type DomainError, domainError } from '../kernel/errors';
import { type OwnerCommand } from './commands';
import { type InstanceEvent } from './events';
import { GIB } from './memory-size';
import { type PodLock } from './pod-lock';
import { type Instance } from './state';

type Decision = Either<DomainError, readonly InstanceEvent[]>;
const NOTHING: Decision = right([]);

/** What the owner may ask of an instance, admins and ops of any, the system itself too. */
export const decideOwnerCommand = (
  command: OwnerCommand,
  state: Instance,
  actor: DecisionContext['actor'],
): Decision => {
  if (actor.role === 'analyst' && actor.username !== state.ownerUsername) return left(notOwner(state, actor));
  const ids = { instanceId: state.instanceId, ownerUsername: state.ownerUsername };
  switch (command.type) {
    case 'RequestDeletion': {
      const { reason } = command;
      return state.status === 'stopping' ? NOTHING : right([{ type: 'InstanceStopping', data: { ...ids, reason } }]);
    }
    case 'DescribeInstance': {
      const { name = state.name, description = state.description } = command;
      return name === state.name && description === state.description
        ? NOTHING
        : right([{ type: 'InstanceDescribed', data: { ...ids, name, description } }]);
    }
    case 'ChangeInstanceLifetime':
      return decideLifetimeChange(command, state);
    case 'UpdateCpu': {
      const obstacle = whyNotResizable(state, command.lock);
      if (obstacle !== null) return left(obstacle);
      const sizes = { oldCpuCores: state.cpuCores, newCpuCores: command.cpuCores };
      return command.cpuCores === state.cpuCores
        ? NOTHING
        : right([{ type: 'InstanceCpuUpdated', data: { ...ids, ...sizes } }]);
    }
    case 'UpgradeMemory':
      return decideMemory(command, state);
  }
};

const decideLifetimeChange = (
  command: Extract<OwnerCommand, { type: 'ChangeInstanceLifetime' }>,
  state: Instance,
): Decision => {
  const changed = changeLifetime(state, command, command.limits);
  if (isLeft(changed)) return changed;
  const lifetime = changed.right;
  if (lifetime.ttl === state.ttl && lifetime.inactivityTimeout === state.inactivityTimeout) return NOTHING;
  const { instanceId, ownerUsername } = state;
  return right([{ type: 'InstanceLifetimeChanged', data: { instanceId, ownerUsername, ...lifetime } }]);
};

const decideMemory = (
  { memoryBytes, reason, lock }: Extract<OwnerCommand, { type: 'UpgradeMemory' }>,
  state: Instance,
): Decision => {
  const obstacle = whyNotResizable(state, lock);
  if (obstacle !== null) return left(obstacle);
  const { instanceId, ownerUsername, memoryBytes: oldMemoryBytes, status } = state;
  if (memoryBytes === oldMemoryBytes) return NOTHING;
  if (memoryBytes < oldMemoryBytes) {
    const message = `Instance ${instanceId} has ${oldMemoryBytes / GIB} GiB of memory, and memory only grows; ask for more, or create a smaller instance.`;
    return left(
      domainError('INVALID_STATE', message, { current_status: status, current_memory_gb: oldMemoryBytes / GIB }),
    );
  }
  const data = { instanceId, ownerUsername, oldMemoryBytes, newMemoryBytes: memoryBytes, reason };
  return right([{ type: 'InstanceMemoryUpgraded', data }]);
};

const whyNotResizable = ({ instanceId, status }: Instance, lock: PodLock | null): DomainError | null => {
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

const notOwner = (state: Instance, actor: DecisionContext['actor']): DomainError =>
  domainError(
    'PERMISSION_DENIED',
    `Instance ${state.instanceId} belongs to ${state.ownerUsername}; only the owner, an admin or ops may do this.`,
    { owner_username: state.ownerUsername, your_role: actor.role },
  );
