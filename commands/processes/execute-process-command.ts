import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { decideLifetime } from '../../domain/config';
import { type Instance, instanceStream, memorySize } from '../../domain/instance';
import { type DomainError, domainError } from '../../domain/kernel/errors';
import { UNUSABLE } from '../../domain/policies';
import { deletionFailure, type ObjectStore, objectStoreReason } from '../../domain/ports/object-store';
import { type PodRuntime, type PodRuntimeError } from '../../domain/ports/pod-runtime';
import { type ProcessCommand } from '../../domain/processes';
import { type SnapshotCommand, snapshotName, snapshotStream } from '../../domain/snapshot';
import { type ChangeCapacity, expireReservation } from '../capacity/reserve-slot';
import { loadConfig } from '../config/configure';
import { changeExportJob } from '../export-job/change-export-job';
import { entitiesOf, loadMappingVersion, planExportJobs } from '../export-job/plan-export-jobs';
import { changeInstance } from '../instance/change-instance';
import { completeDeletion, startupReason, type StartupReasonPorts } from '../instance/observe-pod';
import { instances, snapshots } from '../kit/aggregates';
import { type CommandContext, type CommandPorts } from '../kit/command-context';
import { type Done, handleCommand } from '../kit/handle-command';
import { loadStream, type ReadFailure } from '../kit/load-stream';
import { deleteSnapshot } from '../snapshot/change-snapshot';

export interface ProcessCommandPorts extends CommandPorts, StartupReasonPorts {
  readonly changeCapacity: ChangeCapacity;
  readonly podRuntime: PodRuntime;
  /** The store of snapshot files. */
  readonly objectStore: ObjectStore;
  /** The base URL of instances. */
  readonly instanceBaseUrl: string;
  /** Whether the control plane or an external submitter plans the export jobs of a snapshot. */
  readonly exportPlanner: 'control-plane' | 'submitter';
}

/**
 * Executes one command of a process. Every branch is idempotent, for a repetition after a crash: commands on aggregates
 * by command id, pods by name. `SERVICE_UNAVAILABLE` and `CONFLICT` mean a retry, any other error is a rejection;
 * `PENDING`: an order was placed and must be repeated.
 */
export const executeProcessCommand = async (
  ports: ProcessCommandPorts,
  command: ProcessCommand,
  context: CommandContext,
  signal: AbortSignal,
): Done => {
  switch (command.type) {
    case 'RequestSnapshot':
      return requestSnapshot(ports, command.instanceId, context);
    case 'PlanExportJobs':
      return planExportJobs(ports, command.snapshotId, context);
    case 'StartInstance':
      return startInstance(ports, command, context);
    case 'CreatePod':
      return createPod(ports, command.instanceId, signal);
    case 'ResizePod':
      return resizePod(ports, command.instanceId, signal);
    case 'DeletePod':
      return deletePod(ports, command, signal);
    case 'FailInstance': {
      const errorMessage = command.errorMessage + (await startupDetail(ports, command));
      return changeInstance(ports, command.instanceId, { ...command, errorMessage }, context);
    }
    case 'RecordResizeFailure':
      return changeInstance(ports, command.instanceId, command, context);
    case 'CompleteDeletion':
      return completeDeletion(ports, command.instanceId, context);
    case 'LapseReservation':
      return expireReservation(ports, command.instanceId, context);
    case 'ReleaseSlot':
      return ports.changeCapacity({ type: 'ReleaseSlot', instanceId: command.instanceId }, context);
    case 'StartExport':
    case 'CompleteSnapshot':
    case 'FailSnapshot':
      return handleCommand(ports, snapshots, snapshotStream(command.snapshotId), command, context);
    case 'DeleteUnusableSnapshot':
      return deleteSnapshot(ports, command.snapshotId, UNUSABLE, context);
    case 'DeleteSnapshotFiles':
      return deleteFiles(ports, command, signal);
    case 'ExpireLease':
    case 'CancelExportJob':
      return changeExportJob(ports, command.jobId, command, context);
    case 'FailExportJob': {
      const { jobId, errorCode, errorMessage } = command;
      return changeExportJob(ports, jobId, { type: 'ReportFailed', errorCode, errorMessage }, context);
    }
  }
};

type CommandOf<T extends ProcessCommand['type']> = Extract<ProcessCommand, { type: T }>;

const startInstance = async (
  ports: ProcessCommandPorts,
  { instanceId, snapshotBytes }: CommandOf<'StartInstance'>,
  context: CommandContext,
): Done => {
  const loaded = await loadInstance(ports, instanceId);
  if (isLeft(loaded)) return loaded;
  const isOnKubernetes = ports.podRuntime.kind === 'kubernetes';
  const memoryBytes = memorySize(loaded.right.wrapperType, snapshotBytes, isOnKubernetes);
  return changeInstance(ports, instanceId, { type: 'StartInstance', memoryBytes, snapshotBytes }, context);
};

const deletePod = async (
  ports: ProcessCommandPorts,
  { instanceId, urlSlug }: CommandOf<'DeletePod'>,
  signal: AbortSignal,
): Done => {
  const deleted = await ports.podRuntime.deletePod({ instanceId, urlSlug, life: null }, signal);
  if (!isLeft(deleted)) return right(deleted.right === 'ordered' ? PENDING : undefined);
  // Always retried: an instance whose pod may still run never counts as deleted.
  return left(podRefused(instanceId, 'deleted', { ...deleted.left, kind: 'unavailable' }));
};

const deleteFiles = async (
  { objectStore }: ProcessCommandPorts,
  { snapshotId, storagePath }: CommandOf<'DeleteSnapshotFiles'>,
  signal: AbortSignal,
): Done => {
  if (signal.aborted) return left(domainError('SERVICE_UNAVAILABLE', 'The lease of the command was lost.'));
  const failure = deletionFailure(await objectStore.deleteAll(storagePath));
  if (failure === null) return right(undefined);
  const why = objectStoreReason(failure);
  return left(domainError('SERVICE_UNAVAILABLE', `The files of snapshot ${snapshotId} could not be deleted: ${why}.`));
};

const loadInstance = async (
  ports: CommandPorts,
  instanceId: number,
): Promise<Either<ReadFailure | DomainError<'RESOURCE_NOT_FOUND'>, Instance>> => {
  const loaded = await loadStream(ports, instances, instanceStream(instanceId));
  if (isLeft(loaded)) return loaded;
  const { state } = loaded.right;
  return state === null ? left(domainError('RESOURCE_NOT_FOUND', `Unknown instance ${instanceId}.`)) : right(state);
};

const requestSnapshot = async (ports: ProcessCommandPorts, instanceId: number, context: CommandContext): Done => {
  const instance = await loadInstance(ports, instanceId);
  if (isLeft(instance)) return instance;
  const { status, snapshotId, mappingId, mappingName, mappingVersion, ownerUsername } = instance.right;
  if (status !== 'waiting_for_snapshot') return right(undefined);
  const stream = snapshotStream(snapshotId);
  const known = await loadStream(ports, snapshots, stream);
  if (isLeft(known) || known.right.state !== null) return known;
  const version = await loadMappingVersion(ports, mappingId, mappingVersion);
  if (isLeft(version)) return version;
  const entities = ports.exportPlanner === 'submitter' ? [] : entitiesOf(version.right);
  const jobIds = entities.length === 0 ? [] : await ports.ids.next('export_job', entities.length);
  const config = await loadConfig(ports);
  if (isLeft(config)) return config;
  const lifetime = decideLifetime({}, config.right.lifecycle.snapshot);
  if (isLeft(lifetime)) return lifetime;
  const owner = folderOf(ownerUsername, ports.ids);
  const command: SnapshotCommand = {
    type: 'RequestSnapshot',
    ...lifetime.right,
    snapshotId,
    instanceId,
    mappingId,
    mappingName,
    mappingVersion,
    ownerUsername,
    name: snapshotName(mappingName, mappingVersion),
    storagePath: `${owner}/${mappingId}/v${mappingVersion}/${snapshotId}/`,
    exportMaxSeconds: config.right.exportMaxSeconds,
    jobs: entities.map(({ jobType, entityName }, index) => ({ jobType, entityName, jobId: jobIds[index] ?? 0 })),
  };
  return handleCommand(ports, snapshots, stream, command, context);
};

/** A username as one path segment that is valid in every store: escaped, and shortened if it is too long. */
const folderOf = (username: string, ids: CommandPorts['ids']): string => {
  const escaped = encodeURIComponent(username).replaceAll('.', '%2E');
  return escaped.length <= 200 ? escaped : `${escaped.slice(0, 160)}-${ids.derivedUuid(OWNER_FOLDERS, username)}`;
};

/** Namespace of the folders of long usernames (a fixed random UUID). */
const OWNER_FOLDERS = '8d0c1f5e-3a57-4a0e-9d5b-6a1d5f2c7b90';

/** Why a pod has not started in time, as a clause for the message; may be empty. */
const startupDetail = async (
  ports: StartupReasonPorts,
  { instanceId, failedPhase }: CommandOf<'FailInstance'>,
): Promise<string> => {
  if (failedPhase !== 'startup') return '';
  const reason = await startupReason(ports, instanceId);
  return reason === null ? '' : ` The pod runtime reports: ${reason}`;
};

const createPod = async (ports: ProcessCommandPorts, instanceId: number, signal: AbortSignal): Done => {
  const loaded = await loadInstance(ports, instanceId);
  if (isLeft(loaded)) return loaded;
  const { status, urlSlug, life, wrapperType, ownerUsername, memoryBytes, cpuCores, snapshotBytes } = loaded.right;
  if (status !== 'starting') return right(undefined);
  const instanceUrl = `${ports.instanceBaseUrl}/${urlSlug}`;
  const size = { memoryBytes, cpuCores, snapshotBytes };
  const spec = { instanceId, urlSlug, life, wrapperType, ownerUsername, ...size, instanceUrl };
  // The previous pod has ended or is ending. Reconciliation removes its remains.
  if (life > 1) await ports.podRuntime.deletePod({ instanceId, urlSlug, life: life - 1 }, signal);
  const created = await ports.podRuntime.createPod(spec, signal);
  return isLeft(created) ? left(podRefused(instanceId, 'started', created.left)) : created;
};

const resizePod = async (ports: ProcessCommandPorts, instanceId: number, signal: AbortSignal): Done => {
  const loaded = await loadInstance(ports, instanceId);
  if (isLeft(loaded)) return loaded;
  const { status, memoryBytes, cpuCores } = loaded.right;
  if (status !== 'starting' && status !== 'running') return right(undefined);
  const resized = await ports.podRuntime.resizePod(loaded.right, { memoryBytes, cpuCores }, signal);
  if (isLeft(resized)) return left(podRefused(instanceId, 'resized', resized.left));
  return status === 'running' && resized.right === 'at_next_start' ? left(resizedLater(instanceId)) : right(undefined);
};

const resizedLater = (instanceId: number): DomainError =>
  domainError('INVALID_STATE', `The new size of instance ${instanceId} takes effect when its pod starts next.`);

const podRefused = (instanceId: number, what: string, error: PodRuntimeError): DomainError => {
  const message = `The pod of instance ${instanceId} could not be ${what}: ${error.reason}.`;
  if (error.kind === 'rejected') return domainError('INVALID_STATE', message);
  const { retryAfterMs } = error;
  const details = retryAfterMs === undefined ? undefined : { retry_after_seconds: Math.ceil(retryAfterMs / 1000) };
  return domainError('SERVICE_UNAVAILABLE', message, details);
};

/** The result of a process command whose order is placed but not completed; the command is repeated until it is. */
export const PENDING = 'pending';
