import { setTimeout as sleep } from 'node:timers/promises';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { instances } from '../../../../commands/kit/aggregates';
import { loadStream } from '../../../../commands/kit/load-stream';
import { canAccess, instanceStream } from '../../../../domain/instance';
import { type DomainError, notFound } from '../../../../domain/kernel/errors';
import { findUser } from '../../../../queries/users';
import { type InstanceProgress } from '../../../../queries/views/instance';
import { type Viewer } from '../../../../queries/visible-instances';
import { type EventStream, type HandlerResult } from '../../kit';
import { type PublicDependencies } from '../public-dependencies';
import { readProgress } from './progress-view';

/**
 * Minimum and maximum interval between two reads of an instance; a change of the read model ends the wait between them.
 */
const MIN_INTERVAL_MS = 250;
const MAX_INTERVAL_MS = 1_000;

const FINAL: ReadonlySet<string> = new Set(['running', 'failed', 'deleted']);

type Dependencies = Pick<PublicDependencies, 'db' | 'ports' | 'catchUp' | 'podRuntime' | 'work'>;
type ReadError = DomainError<'RESOURCE_NOT_FOUND' | 'SERVICE_UNAVAILABLE' | 'INTERNAL_ERROR'>;

/**
 * Streams the progress of an instance as events: its current state, then each change, until a final state. The id of an
 * event is the status, so that a client that reconnects after the final state receives 204.
 */
export const progressStream = async (
  deps: Dependencies,
  instanceId: number,
  viewer: Viewer,
  lastEventId: string | undefined,
): HandlerResult<InstanceProgress, ReadError['code']> => {
  const present = await presentState(deps, instanceId, viewer);
  if (isLeft(present)) return present;
  const { status } = present.right;
  if (status === 'deleted' && lastEventId === undefined) return left(notFound('instance', instanceId));
  const hasEnded = FINAL.has(status) && lastEventId === status;
  return right({ body: present.right, events: hasEnded ? 'ended' : changes(deps, present.right, viewer.username) });
};

const changes = (deps: Dependencies, present: InstanceProgress, username: string): EventStream =>
  async function* (signal) {
    let [state, sent] = [present, ''];
    while (!signal.aborted) {
      // A change of the elapsed time alone is not sent.
      const compared = JSON.stringify({ ...state, elapsed_seconds: 0 });
      const isFinal = FINAL.has(state.status);
      if (compared !== sent) yield { id: state.status, event: isFinal ? 'done' : 'progress', data: state };
      if (isFinal) return;
      sent = compared;
      const changed = deps.catchUp.nextChange(MAX_INTERVAL_MS);
      await sleep(MIN_INTERVAL_MS);
      await changed;
      // The caller may have been deactivated, lost access or changed role.
      const user = await findUser(deps.db, username);
      const next = user?.is_active !== true ? null : await presentState(deps, state.id, user);
      if (next !== null && isLeft(next) && next.left.code !== 'RESOURCE_NOT_FOUND') throw new Error(next.left.message);
      if (next === null || isLeft(next)) return;
      state = next.right;
    }
  };

const presentState = async (
  deps: Dependencies,
  instanceId: number,
  viewer: Viewer,
): Promise<Either<ReadError, InstanceProgress>> => {
  const progress = await readProgress(deps, instanceId, viewer);
  if (progress !== null) return right(progress);
  // The access to a deleted instance is read from the log.
  const loaded = await loadStream(deps.ports, instances, instanceStream(instanceId));
  if (isLeft(loaded)) return loaded;
  const { state } = loaded.right;
  return state?.status === 'deleted' && canAccess(state, viewer)
    ? right({ id: instanceId, status: 'deleted', phase: 'deleted', started_at: null })
    : left(notFound('instance', instanceId));
};
