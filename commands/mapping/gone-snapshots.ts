import { isLeft, right } from 'fp-ts/Either';
import { instanceStream } from '../../domain/instance';
import { type PlannedSnapshot } from '../../domain/mapping';
import { snapshotStream } from '../../domain/snapshot';
import { instances, snapshots } from '../kit/aggregates';
import { type CommandPorts } from '../kit/command-context';
import { type CommandResult } from '../kit/handle-command';
import { loadStream } from '../kit/load-stream';

/** Streams to read at once. */
const BATCH = 16;

/** The snapshots of a mapping that are deleted or will never exist, from their own streams: read models may lag. */
export const goneSnapshots = async (
  ports: CommandPorts,
  planned: readonly PlannedSnapshot[],
  isAbandoned: (snapshotId: number) => boolean = () => false,
): CommandResult<readonly number[]> => {
  const gone: number[] = [];
  for (let start = 0; start < planned.length; start += BATCH) {
    const batch = planned.slice(start, start + BATCH);
    const answers = await Promise.all(batch.map((each) => isGone(ports, each, isAbandoned(each.snapshotId))));
    for (const [at, answer] of answers.entries()) {
      if (isLeft(answer)) return answer;
      const { snapshotId } = batch[at] ?? {};
      if (answer.right && snapshotId !== undefined) gone.push(snapshotId);
    }
  }
  return right(gone);
};

/**
 * Whether a planned snapshot is deleted, is about to be (it was not ready when its instance was deleted), or will never
 * be requested. Each of these is final. `isAbandoned`: whether it can no longer be requested.
 */
const isGone = async (
  ports: CommandPorts,
  { snapshotId, instanceId }: PlannedSnapshot,
  isAbandoned: boolean,
): CommandResult<boolean> => {
  const snapshot = await loadStream(ports, snapshots, snapshotStream(snapshotId));
  if (isLeft(snapshot)) return snapshot;
  const { revision, state: exported } = snapshot.right;
  if (revision >= 0 && (exported === null || exported.status === 'ready')) return right(exported === null);
  const instance = await loadStream(ports, instances, instanceStream(instanceId));
  if (isLeft(instance)) return instance;
  const { state } = instance.right;
  if (exported !== null) return right(state?.status === 'deleted');
  return right(state === null ? isAbandoned : state.status !== 'waiting_for_snapshot');
};
