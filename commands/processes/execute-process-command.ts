import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type Instance, instanceStream, memorySize } from '../../domain/instance';
import { type DomainError, domainError } from '../../domain/kernel/errors';
import { type ObjectStore } from '../../domain/ports/object-store';
import { type PodRuntime, type PodRuntimeError } from '../../domain/ports/pod-runtime';
import { type ProcessCommand } from '../../domain/processes';
import { addressInStore, type SnapshotCommand, snapshotName, snapshotStream } from '../../domain/snapshot';
import { UNUSABLE } from '../../domain/policies';
import { decideLifetime } from '../../domain/config';
import { instances, snapshots } from '../kit/aggregates';
import { changeExportJob } from '../export-job/change-export-job';
import { changeInstance } from '../instance/change-instance';
import { type ChangeCapacity, lapseReservation } from '../capacity/reserve-slot';
import { type CommandContext, type CommandPorts, contextOfPart } from '../kit/command-context';
import { loadConfig } from '../config/configure';
import { handleCommand, loadStream, type ReadFailure } from '../kit/handle-command';
import { deleteSnapshot } from '../snapshot/delete-snapshot';
import { entitiesOf, loadMappingVersion, planExportJobs } from '../export-job/plan-export-jobs';

export interface ProcessCommandPorts extends CommandPorts {
  readonly changeCapacity: ChangeCapacity;
  readonly podRuntime: PodRuntime;
  /** Keeps the files of snapshots. */
  readonly objectStore: ObjectStore;
  /** The base URL of instances; null if the control plane does not run pods. */
  readonly instanceBaseUrl: string | null;
  /** Who names the export jobs of a snapshot: we, or a submitter outside. */
  readonly exportPlanner: 'control-plane' | 'submitter';
}

/**
 * Executes one command a process ordered. Every branch may run again after a crash in the middle: commands on
 * aggregates are recognised by their command id, pods by their name. `SERVICE_UNAVAILABLE` and `CONFLICT` mean "try
 * again later", any other error is a refusal.
 */
export const executeProcessCommand = async (
  ports: ProcessCommandPorts,
  command: ProcessCommand,
  context: CommandContext,
): Promise<Either<DomainError, unknown>> => {
  switch (command.type) {
    case 'RequestSnapshot':
      return requestSnapshot(ports, command.instanceId, context);
    case 'PlanExportJobs':
      return planExportJobs(ports, command.snapshotId, context);
    case 'StartInstance': {
      const loaded = await loadInstance(ports, command.instanceId);
      if (isLeft(loaded)) return loaded;
      const { wrapperType } = loaded.right;
      const memoryBytes = memorySize(wrapperType, command.snapshotBytes);
      return changeInstance(ports, command.instanceId, { type: 'StartInstance', memoryBytes }, context);
    }
    case 'CreatePod':
      return createPod(ports, command.instanceId);
    case 'ResizePod':
      return resizePod(ports, command.instanceId);
    case 'DeletePod': {
      const deleted = await ports.podRuntime.deletePod(command.urlSlug);
      if (!isLeft(deleted)) return deleted;
      // Always tried again: an instance whose pod may still run never counts as gone.
      return left(podRefused(command.instanceId, 'deleted', { ...deleted.left, kind: 'unavailable' }));
    }
    case 'FailInstance':
    case 'RecordResizeFailure':
      return changeInstance(ports, command.instanceId, command, context);
    case 'CompleteDeletion': {
      // When the instance is gone, its slot is free.
      const released = await releaseSlot(ports, command.instanceId, contextOfPart(ports.ids, context, 'slot'));
      return isLeft(released) ? released : changeInstance(ports, command.instanceId, command, context);
    }
    case 'LapseReservation':
      return lapseReservation(ports, command.instanceId, context);
    case 'ReleaseSlot':
      return releaseSlot(ports, command.instanceId, context);
    case 'StartExport':
    case 'CompleteSnapshot':
    case 'FailSnapshot':
      return handleCommand(ports, snapshots, snapshotStream(command.snapshotId), command, context);
    case 'DeleteUnusableSnapshot':
      return deleteSnapshot(ports, command.snapshotId, UNUSABLE, context);
    case 'DeleteSnapshotFiles': {
      const { snapshotId, storagePath } = command;
      const deleted = await ports.objectStore.deleteAll(addressInStore(ports.objectStore.root, storagePath));
      if (!isLeft(deleted)) return deleted;
      const why = deleted.left.kind === 'unavailable' ? deleted.left.reason : 'they are not there';
      const message = `The files of snapshot ${snapshotId} could not be deleted: ${why}.`;
      return left(domainError('SERVICE_UNAVAILABLE', message));
    }
    case 'ExpireLease':
    case 'CancelExportJob':
      return changeExportJob(ports, command.jobId, command, context);
    case 'FailExportJob': {
      const { jobId, errorCode, errorMessage } = command;
      return changeExportJob(ports, jobId, { type: 'ReportFailed', errorCode, errorMessage }, context);
    }
  }
};

const releaseSlot = (ports: ProcessCommandPorts, instanceId: number, context: CommandContext) =>
  ports.changeCapacity({ type: 'ReleaseSlot', instanceId }, context);

const loadInstance = async (
  ports: CommandPorts,
  instanceId: number,
): Promise<Either<ReadFailure | DomainError<'RESOURCE_NOT_FOUND'>, Instance>> => {
  const loaded = await loadStream(ports.store, instances, instanceStream(instanceId));
  if (isLeft(loaded)) return loaded;
  const { state } = loaded.right;
  return state === null ? left(domainError('RESOURCE_NOT_FOUND', `Unknown instance ${instanceId}.`)) : right(state);
};

const requestSnapshot = async (
  ports: ProcessCommandPorts,
  instanceId: number,
  context: CommandContext,
): Promise<Either<DomainError, unknown>> => {
  const instance = await loadInstance(ports, instanceId);
  if (isLeft(instance)) return instance;
  const { status, snapshotId, mappingId, mappingName, mappingVersion, ownerUsername } = instance.right;
  if (status !== 'waiting_for_snapshot') return right(undefined);
  const stream = snapshotStream(snapshotId);
  const known = await loadStream(ports.store, snapshots, stream);
  if (isLeft(known) || known.right.state !== null) return known;
  const version = await loadMappingVersion(ports, mappingId, mappingVersion);
  if (isLeft(version)) return version;
  const entities = ports.exportPlanner === 'submitter' ? [] : entitiesOf(version.right);
  const jobIds = entities.length === 0 ? [] : await ports.ids.next('export_job', entities.length);
  const config = await loadConfig(ports.store);
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
    storagePath: `${ports.objectStore.root}/${owner}/${mappingId}/v${mappingVersion}/${snapshotId}/`,
    exportMaxSeconds: config.right.exportMaxSeconds,
    jobs: entities.map(({ jobType, entityName }, index) => ({ jobType, entityName, jobId: jobIds[index] ?? 0 })),
  };
  return handleCommand(ports, snapshots, stream, command, context);
};

/** A username as one path segment that every store takes: escaped, and shortened where it would be too long. */
const folderOf = (username: string, ids: CommandPorts['ids']): string => {
  const escaped = encodeURIComponent(username).replaceAll('.', '%2E');
  return escaped.length <= 200 ? escaped : `${escaped.slice(0, 160)}-${ids.derivedUuid(OWNER_FOLDERS, username)}`;
};

/** Namespace of the folders of long usernames (a fixed random UUID). */
const OWNER_FOLDERS = '8d0c1f5e-3a57-4a0e-9d5b-6a1d5f2c7b90';

const createPod = async (ports: ProcessCommandPorts, instanceId: number): Promise<Either<DomainError, unknown>> => {
  const loaded = await loadInstance(ports, instanceId);
  if (isLeft(loaded)) return loaded;
  const { status, urlSlug, life, wrapperType, ownerUsername, memoryBytes, cpuCores } = loaded.right;
  if (status !== 'starting' || ports.instanceBaseUrl === null) return right(undefined);
  const instanceUrl = `${ports.instanceBaseUrl}/${urlSlug}`;
  const spec = { instanceId, urlSlug, life, wrapperType, ownerUsername, memoryBytes, cpuCores, instanceUrl };
  const created = await ports.podRuntime.createPod(spec);
  return isLeft(created) ? left(podRefused(instanceId, 'started', created.left)) : created;
};

const resizePod = async (ports: ProcessCommandPorts, instanceId: number): Promise<Either<DomainError, unknown>> => {
  const loaded = await loadInstance(ports, instanceId);
  if (isLeft(loaded)) return loaded;
  const { status, urlSlug, memoryBytes, cpuCores } = loaded.right;
  if (status !== 'starting' && status !== 'running') return right(undefined);
  const resized = await ports.podRuntime.resizePod(urlSlug, { memoryBytes, cpuCores });
  return isLeft(resized) ? left(podRefused(instanceId, 'resized', resized.left)) : resized;
};

const podRefused = (instanceId: number, what: string, { kind, reason }: PodRuntimeError): DomainError =>
  domainError(
    kind === 'unavailable' ? 'SERVICE_UNAVAILABLE' : 'INVALID_STATE',
    `The pod of instance ${instanceId} could not be ${what}: ${reason}.`,
  );
