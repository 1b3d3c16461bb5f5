import { isLeft, right } from 'fp-ts/Either';
import { type BulkResource, type CleanupResult, testCleanupStream } from '../../domain/cleanup';
import { instanceStream } from '../../domain/instance';
import { type Position } from '../../domain/kernel/event';
import { inParallel } from '../../domain/kernel/in-parallel';
import { deletionFailure, type ObjectStore } from '../../domain/ports/object-store';
import { type PodRuntime } from '../../domain/ports/pod-runtime';
import { instances, testCleanups } from '../kit/aggregates';
import { type CommandContext, type CommandPorts, contextOfPart } from '../kit/command-context';
import { type CommandResult, handleCommand } from '../kit/handle-command';
import { loadStream } from '../kit/load-stream';
import { deleteResource, type DeleteResourcePorts } from './delete-resource';

export interface TestCleanupPorts extends CommandPorts, DeleteResourcePorts {
  readonly podRuntime: PodRuntime;
  readonly objectStore: ObjectStore;
  /** The current resources of these users; only snapshots have a `storagePath`. */
  readonly findOwned: (resource: BulkResource, usernames: readonly string[]) => Promise<readonly OwnedResource[]>;
}

export interface OwnedResource {
  readonly id: number;
  readonly storagePath: string | null;
}

const PARALLEL = 10;
const REASON = 'cleanup after end-to-end tests';

/**
 * Deletes everything of the test users: instances, snapshots with their files, mappings; then the orphaned pods.
 * Failures are returned in `errors` and do not stop the cleanup. A repeated call deletes the rest.
 */
export const cleanUpAfterTests = async (
  ports: TestCleanupPorts,
  usernames: readonly string[],
  context: CommandContext,
): CommandResult<{ readonly result: CleanupResult; readonly position: Position }> => {
  const cleanupId = context.commandId;
  const stream = testCleanupStream(cleanupId);
  const start = { type: 'StartTestCleanup', cleanupId, usernames } as const;
  const started = await handleCommand(ports, testCleanups, stream, start, context);
  if (isLeft(started)) return started;
  const errors: string[] = [];

  const files = { filesDeleted: 0, bytesDeleted: 0 };
  const deleteOne = async (resource: BulkResource, { id, storagePath }: OwnedResource): Promise<readonly number[]> => {
    // A snapshot's own process deletes its files as well; here they are counted first, and deleted before the response.
    const stored = storagePath === null ? right([]) : await ports.objectStore.list(storagePath);
    const deleted = await deleteResource(ports, resource, id, REASON, context);
    // A failed snapshot is deleted with its instance.
    if (isLeft(deleted) && !(resource === 'snapshot' && deleted.left.code === 'RESOURCE_NOT_FOUND')) {
      errors.push(`${resource} ${id}: ${deleted.left.message}`);
      return [];
    }
    const failure = storagePath === null ? null : deletionFailure(await ports.objectStore.deleteAll(storagePath));
    if (isLeft(stored) || failure !== null) errors.push(`${resource} ${id}: its files could not be deleted`);
    else {
      files.filesDeleted += stored.right.length;
      files.bytesDeleted += stored.right.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    }
    return [id];
  };
  const findAll = (resource: BulkResource) => ports.findOwned(resource, usernames);
  const deleteAll = async (resource: BulkResource, owned: readonly OwnedResource[]) =>
    (await inParallel(PARALLEL, owned, (one) => deleteOne(resource, one))).flat();

  const owned = { snapshots: await findAll('snapshot'), instances: await findAll('instance') };
  const instanceIds = await deleteAll('instance', owned.instances);
  const snapshotIds = await deleteAll('snapshot', owned.snapshots);
  const mappingIds = await deleteAll('mapping', await findAll('mapping'));
  const podNames = await endOrphans(ports, errors);
  const result: CleanupResult = { instanceIds, snapshotIds, mappingIds, podNames, ...files, errors };
  const complete = { type: 'CompleteTestCleanup', cleanupId, ...result } as const;
  const ended = contextOfPart(ports.ids, context, 'completed');
  const completed = await handleCommand(ports, testCleanups, stream, complete, ended);
  if (isLeft(completed)) return completed;
  const { state, position } = completed.right;
  return right({ result: state ?? result, position });
};

/** A pod is an orphan when its instance is deleted or was never requested, according to the instance's own stream. */
const endOrphans = async (ports: TestCleanupPorts, errors: string[]): Promise<readonly string[]> => {
  const { podRuntime } = ports;
  const pods = await podRuntime.listPods();
  if (isLeft(pods)) {
    errors.push(`The pods could not be listed: ${pods.left.reason}`);
    return [];
  }
  const ended: string[] = [];
  for (const { instanceId, urlSlug, life, podName } of pods.right) {
    const loaded = await loadStream(ports, instances, instanceStream(instanceId));
    if (isLeft(loaded)) {
      errors.push(`the pod of instance ${instanceId}: ${loaded.left.message}`);
      continue;
    }
    const { state } = loaded.right;
    if (state !== null && state.status !== 'deleted') continue;
    const deleted = await podRuntime.deletePod({ instanceId, urlSlug, life }, new AbortController().signal);
    if (isLeft(deleted)) errors.push(`the pod of instance ${instanceId}: ${deleted.left.reason}`);
    else ended.push(podName);
  }
  return ended;
};
