import { type Either, left, right } from 'fp-ts/Either';
import { type Decider, type DecisionContext } from '../kernel/decider';
import { type DomainError, domainError, notFound } from '../kernel/errors';
import { type InstanceCommand, type StatusReport } from './commands';
import { type InstanceEvent } from './events';
import { doubledMemory } from './memory-size';
import { decideOwnerCommand } from './owner-commands';
import { evolveInstance, type Instance, OOM_RECOVERY } from './state';

export const instanceStream = (instanceId: number): string => `instance-${instanceId}`;
export const podNameOf = (urlSlug: string): string => `graph-${urlSlug}`;

type Decision = Either<DomainError, readonly InstanceEvent[]>;
const NOTHING: Decision = right([]);

/** Commands of the system that a deletion overtook. Everybody else is told that the instance is gone. */
const IGNORED_AFTER_DELETION: ReadonlySet<InstanceCommand['type']> = new Set<InstanceCommand['type']>([
  'StartInstance',
  'FailInstance',
  'ReportPodLost',
  'RestartInstance',
  'RecordResizeFailure',
  'CompleteDeletion',
]);

export const instance: Decider<InstanceCommand, InstanceEvent, Instance | null, DomainError> = {
  initial: null,

  decide: (command, state, context): Decision => {
    if (command.type === 'RequestInstance') {
      const { type: _type, ...data } = command;
      return state === null
        ? right([{ type: 'InstanceRequested', data }])
        : left(state.urlSlug === '' ? lapsed(state) : existsAlready(state));
    }
    if (command.type === 'AbandonInstance') {
      if (state === null) return right([{ type: 'InstanceAbandoned', data: { instanceId: command.instanceId } }]);
      return state.urlSlug === '' ? NOTHING : left(existsAlready(state));
    }
    if (state === null) return left(notFound('instance', 'with this id'));
    if (state.status === 'deleted') {
      return IGNORED_AFTER_DELETION.has(command.type) ? NOTHING : left(notFound('instance', state.instanceId));
    }
    return decideExisting(command, state, context);
  },

  evolve: evolveInstance,
};

const existsAlready = ({ instanceId }: Instance): DomainError =>
  domainError('ALREADY_EXISTS', `Instance ${instanceId} exists already; send the request again.`);

const lapsed = ({ instanceId }: Instance): DomainError =>
  domainError(
    'SERVICE_UNAVAILABLE',
    `The place reserved for instance ${instanceId} lapsed before it was requested. Nothing was created; try again.`,
  );

const decideExisting = (
  command: Exclude<InstanceCommand, { type: 'RequestInstance' | 'AbandonInstance' }>,
  state: Instance,
  { actor }: DecisionContext,
): Decision => {
  const ids = { instanceId: state.instanceId, ownerUsername: state.ownerUsername };
  const { urlSlug, wrapperType, cpuCores, status } = state;
  const pod = { urlSlug, wrapperType, cpuCores, podName: podNameOf(urlSlug) };
  switch (command.type) {
    case 'StartInstance': {
      if (status !== 'waiting_for_snapshot') return NOTHING;
      const { memoryBytes, instanceUrl } = command;
      return right([{ type: 'InstanceStarting', data: { ...ids, ...pod, memoryBytes, instanceUrl } }]);
    }
    case 'RestartInstance': {
      const { memoryBytes, instanceUrl } = state;
      if (status !== 'running' && status !== 'starting') return NOTHING;
      const { reason } = command;
      return right([{ type: 'InstanceRestarting', data: { ...ids, ...pod, memoryBytes, instanceUrl, reason } }]);
    }
    case 'ReportStatus':
      return decideReport(command.report, state);
    case 'FailInstance': {
      // A deadline or refusal that was overtaken by the pod's own report.
      if (status !== 'waiting_for_snapshot' && status !== 'starting') return NOTHING;
      const { errorCode, errorMessage, failedPhase } = command;
      return right([
        { type: 'InstanceFailed', data: { ...ids, errorCode, errorMessage, failedPhase, stackTrace: null } },
      ]);
    }
    case 'ReportPodLost':
      return decidePodLost(command.reason, state);
    case 'RecordResizeFailure': {
      const { memoryBytes } = state;
      const { errorMessage } = command;
      return right([{ type: 'InstanceResizeFailed', data: { ...ids, memoryBytes, cpuCores, errorMessage } }]);
    }
    case 'CompleteDeletion':
      return status === 'stopping'
        ? right([{ type: 'InstanceDeleted', data: { ...ids, reason: state.stopReason ?? 'deleted' } }])
        : NOTHING;
    default:
      return decideOwnerCommand(command, state, actor);
  }
};

const decideReport = (report: StatusReport, state: Instance): Decision => {
  const ids = { instanceId: state.instanceId, ownerUsername: state.ownerUsername };
  const { status } = state;
  if (report.status === status) return NOTHING;
  const up = status === 'starting' || status === 'running';
  if (report.status === 'running' && status === 'starting') {
    const { podIp, instanceUrl, nodeCount, edgeCount } = report;
    const running: InstanceEvent = {
      type: 'InstanceRunning',
      data: { ...ids, podIp, instanceUrl, nodeCount, edgeCount },
    };
    const { oomRestart, memoryBytes: newMemoryBytes } = state;
    if (oomRestart === null || oomRestart.recovered) return right([running]);
    const { oldMemoryBytes } = oomRestart;
    return right([running, { type: 'InstanceOomRecovered', data: { ...ids, oldMemoryBytes, newMemoryBytes } }]);
  }
  if (report.status === 'failed' && up) {
    const { errorCode, errorMessage, failedPhase, stackTrace } = report;
    return right([{ type: 'InstanceFailed', data: { ...ids, errorCode, errorMessage, failedPhase, stackTrace } }]);
  }
  if (report.status === 'stopping' && up) {
    return right([{ type: 'InstanceStopping', data: { ...ids, reason: 'the pod was told to stop' } }]);
  }
  return left(
    domainError(
      'INVALID_STATE_TRANSITION',
      `Instance ${state.instanceId} is ${status} and cannot become ${report.status} by a report.`,
      { instance_id: state.instanceId, current_status: status, requested_status: report.status },
    ),
  );
};

const decidePodLost = (reason: string, state: Instance): Decision => {
  const ids = { instanceId: state.instanceId, ownerUsername: state.ownerUsername };
  if (state.status === 'stopping')
    return right([{ type: 'InstanceDeleted', data: { ...ids, reason: 'the pod is gone' } }]);
  if (state.status !== 'starting' && state.status !== 'running') return NOTHING;
  const outOfMemory = reason === 'OOMKilled';
  const newMemoryBytes = outOfMemory && state.oomRestart === null ? doubledMemory(state.memoryBytes) : null;
  if (newMemoryBytes !== null) {
    const { urlSlug, wrapperType, cpuCores, instanceUrl, memoryBytes: oldMemoryBytes } = state;
    const pod = { urlSlug, wrapperType, cpuCores, podName: podNameOf(urlSlug), memoryBytes: newMemoryBytes };
    return right([
      { type: 'InstanceMemoryUpgraded', data: { ...ids, oldMemoryBytes, newMemoryBytes, reason: OOM_RECOVERY } },
      { type: 'InstanceRestarting', data: { ...ids, ...pod, instanceUrl, reason: OOM_RECOVERY } },
    ]);
  }
  return right([
    {
      type: 'InstanceFailed',
      data: {
        ...ids,
        errorCode: outOfMemory ? 'OOM_KILLED' : 'UNEXPECTED_TERMINATION',
        errorMessage: outOfMemory
          ? `The pod of instance ${state.instanceId} needed more than its ${state.memoryBytes} bytes of memory. Use fewer rows or columns.`
          : `The pod of instance ${state.instanceId} ended unexpectedly (${reason}). Delete the instance and create it again.`,
        failedPhase: state.status,
        stackTrace: null,
      },
    },
  ]);
};
