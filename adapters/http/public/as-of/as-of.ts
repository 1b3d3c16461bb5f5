import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type RowgraphEvent } from '../../../../domain/events';
import { canAccess } from '../../../../domain/instance';
import { type DomainError, invalidField } from '../../../../domain/kernel/errors';
import { comparePositions, type Position, START } from '../../../../domain/kernel/event';
import { type EventStore, readFailed } from '../../../../domain/ports/event-store';
import { type FeedEvent } from '../../../../domain/ports/feed-consumer';
import { type PodRuntime } from '../../../../domain/ports/pod-runtime';
import { fillTemporaryTables } from '../../../../projections/temporary-tables';
import { type ReadDatabase, withRolledBack } from '../../../../queries/kit/database';
import { type Viewer } from '../../../../queries/visible-instances';
import { type Reply } from '../../kit';
import { type PublicDependencies } from '../public-dependencies';
import { type Moment } from './as-of-field';
import { readStreams, type Resource } from './resource-streams';

/** What the answer to a read of a resource is made of: the present state, or that of an earlier moment. */
export interface ReadSource {
  readonly db: ReadDatabase;
  readonly viewer: Viewer;
  readonly ports: PublicDependencies['ports'];
  readonly podRuntime: Pick<PodRuntime, 'listPods'>;
  readonly work: PublicDependencies['work'];
}

type Source = Pick<PublicDependencies, 'db' | 'ports' | 'podRuntime' | 'work'>;
type Failure = 'VALIDATION_FAILED' | 'SERVICE_UNAVAILABLE' | 'INTERNAL_ERROR';

/**
 * Answers a read from the present read models, or, with a moment, from temporary ones that the same projections fill
 * from the events until then. Permissions are those of today: instances that the viewer may not see now are left out.
 */
export const readAsOf = async <O, F extends DomainError>(
  { db, ports, podRuntime, work }: Source,
  at: Moment | undefined,
  viewer: Viewer,
  resource: Resource,
  read: (source: ReadSource) => Promise<Either<F, Reply<O>>>,
): Promise<Either<F | DomainError<Failure>, Reply<O>>> => {
  if (at === undefined) return read({ db, viewer, ports, podRuntime, work });
  const refusal = await refuseFuture(ports, at);
  if (isLeft(refusal)) return refusal;
  const streams = await readStreams(ports.store, resource);
  if (isLeft(streams)) return streams;
  const events = inOrder(streams.right.filter((stream) => isVisibleToday(stream, viewer)));
  const end = events.findIndex(({ stored }) => !counts(at, stored));
  const counted = end < 0 ? events : events.slice(0, end);
  const now = 'time' in at ? at.time : await timeOf(ports.store, at.position, counted);
  const source = {
    viewer: { ...viewer, role: 'admin' as const },
    ports: { ...ports, clock: { now: () => now } },
    podRuntime: { listPods: () => Promise.resolve(right([])) },
    work: { failureOf: () => Promise.resolve(null) },
  };
  const answer = await withRolledBack(db, async (client, then) => {
    await fillTemporaryTables(client, resource.readModels, counted);
    return read({ ...source, db: then });
  });
  if (isLeft(answer)) {
    const isVisible = streams.right.every((stream) => isVisibleToday(stream, viewer));
    const [created] = isVisible ? (streams.right[0] ?? []) : [];
    return created === undefined || counts(at, created.stored) || answer.left.code !== 'RESOURCE_NOT_FOUND'
      ? answer
      : left({ ...answer.left, message: createdLater(resource, created) });
  }
  return right({ ...answer.right, asOfPosition: counted.at(-1)?.stored.position ?? START });
};

/** Reads from read models as they were right after the last event, or the last of a type, of a resource; null without one. */
export const readAfterLast = async <A>(
  { db, ports }: Pick<Source, 'db' | 'ports'>,
  resource: Resource,
  read: (db: ReadDatabase) => Promise<A>,
  type?: RowgraphEvent['type'],
): Promise<Either<DomainError<'SERVICE_UNAVAILABLE' | 'INTERNAL_ERROR'>, A | null>> => {
  const streams = await readStreams(ports.store, resource);
  if (isLeft(streams)) return streams;
  const last = streams.right[0]?.findLast(({ stored }) => type === undefined || stored.type === type);
  if (last === undefined) return right(null);
  const { position } = last.stored;
  const events = inOrder(streams.right).filter(({ stored }) => counts({ position }, stored));
  return right(
    await withRolledBack(db, async (client, then) => {
      await fillTemporaryTables(client, resource.readModels, events);
      return read(then);
    }),
  );
};

const inOrder = (streams: readonly (readonly FeedEvent[])[]): readonly FeedEvent[] =>
  streams.flat().sort((a, b) => comparePositions(a.stored.position, b.stored.position));

const createdLater = ({ name }: Resource, { stored: { recordedAt, position } }: FeedEvent): string =>
  `The ${name} did not exist yet at this moment; it was created at ${recordedAt} (position ${position}). Ask for that moment or a later one.`;

/** Left for a moment that the log has not reached. */
export const refuseFuture = async (
  { store, clock }: Pick<PublicDependencies['ports'], 'store' | 'clock'>,
  at: Moment,
): Promise<Either<DomainError<Failure>, void>> => {
  if ('time' in at) {
    return at.time > clock.now() ? left(invalidField('as_of', 'must not be in the future')) : right(undefined);
  }
  const head = await store.head();
  if (isLeft(head)) return left(readFailed(head.left));
  return comparePositions(at.position, head.right) > 0
    ? left(invalidField('as_of', `must not be after the end of the log, ${head.right}`))
    : right(undefined);
};

/** Whether an event belongs to the past of a moment. */
export const counts = (at: Moment, { position, recordedAt }: FeedEvent['stored']): boolean =>
  'time' in at ? Date.parse(recordedAt) <= at.time.getTime() : comparePositions(position, at.position) <= 0;

/** The time of a position: that of its event, or of the last one before it that is known. */
const timeOf = async (
  store: Pick<EventStore, 'readAt'>,
  position: Position,
  counted: readonly FeedEvent[],
): Promise<Date> => {
  const event = await store.readAt(position);
  const stored = isLeft(event) || event.right === null ? counted.at(-1)?.stored : event.right;
  return new Date(stored?.recordedAt ?? 0);
};

/** By the last access that was set, also of a deleted instance; every other stream is visible. */
const isVisibleToday = (stream: readonly FeedEvent[], { username, role }: Viewer): boolean => {
  const events = stream.flatMap(({ readable }) => (isLeft(readable) ? [] : [readable.right]));
  const set = events.findLast(({ type }) => type === 'InstanceRequested' || type === 'InstanceAccessChanged');
  return (
    (set?.type !== 'InstanceRequested' && set?.type !== 'InstanceAccessChanged') ||
    canAccess(set.data, { username, role })
  );
};
