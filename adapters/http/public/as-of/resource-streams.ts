import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { CONFIG_STREAM } from '../../../../domain/config';
import { type RowgraphEvent } from '../../../../domain/events';
import { exportJobStream } from '../../../../domain/export-job';
import { favoritesStream, type FavoriteType } from '../../../../domain/favorites';
import { instanceStream } from '../../../../domain/instance';
import { type DomainError } from '../../../../domain/kernel/errors';
import { type StoredEvent } from '../../../../domain/kernel/event';
import { unreadable } from '../../../../domain/kernel/event-catalogue';
import { mappingStream } from '../../../../domain/mapping';
import { type EventStore, readFailed } from '../../../../domain/ports/event-store';
import { type FeedEvent } from '../../../../domain/ports/feed-consumer';
import { snapshotStream } from '../../../../domain/snapshot';
import { userStream } from '../../../../domain/user';
import { configProjection } from '../../../../projections/config';
import { exportJobsProjection } from '../../../../projections/export-jobs';
import { favoritesProjection } from '../../../../projections/favorites';
import { readFeedEvent } from '../../../../projections/feed/apply-events';
import { instancesProjection } from '../../../../projections/instances';
import { mappingsProjection } from '../../../../projections/mappings';
import { type Projection } from '../../../../projections/projection';
import { snapshotsProjection } from '../../../../projections/snapshots';
import { usersProjection } from '../../../../projections/users';

type Event = StoredEvent<RowgraphEvent>;
/** The events of a stream; remembers the stream. */
export type ReadStream = (streamId: string) => Promise<readonly Event[]>;
/** A resource with the read models of its fields. */
export interface Resource {
  /** As messages name it. */
  readonly name: string;
  readonly readModels: readonly Projection[];
  /** Reads the stream of the resource first, then those that its fields come from. */
  readonly gather: (read: ReadStream) => Promise<unknown>;
}

export const ofMapping = (id: number): Resource => ({
  name: `mapping ${id}`,
  readModels: [mappingsProjection],
  gather: (read) => read(mappingStream(id)),
});

/** With its instance and its jobs. */
export const ofSnapshot = (id: number): Resource => ({
  name: `snapshot ${id}`,
  readModels: [instancesProjection, snapshotsProjection, exportJobsProjection],
  gather: async (read) => {
    for (const { type, data } of await read(snapshotStream(id))) {
      if (type === 'SnapshotRequested') await read(instanceStream(data.instanceId));
      if (type !== 'SnapshotRequested' && type !== 'SnapshotJobsSubmitted') continue;
      await Promise.all(data.jobs.map(({ jobId }) => read(exportJobStream(jobId))));
    }
  },
});

/** With its snapshot and the jobs of that. */
export const ofInstance = (id: number): Resource => ({
  name: `instance ${id}`,
  readModels: [instancesProjection, snapshotsProjection, exportJobsProjection],
  gather: async (read) => {
    for (const { type, data } of await read(instanceStream(id))) {
      if (type === 'InstanceRequested') await ofSnapshot(data.snapshotId).gather(read);
    }
  },
});

/** With its snapshot. */
export const ofExportJob = (id: number): Resource => ({
  ...ofSnapshot(0),
  name: `export job ${id}`,
  gather: async (read) => {
    for (const { type, data } of await read(exportJobStream(id))) {
      if (type === 'ExportJobPlanned') await ofSnapshot(data.snapshotId).gather(read);
    }
  },
});

export const ofUser = (username: string): Resource => ({
  name: `user ${username}`,
  readModels: [usersProjection],
  gather: (read) => read(userStream(username)),
});

export const ofConfig: Resource = {
  name: 'configuration',
  readModels: [configProjection],
  gather: (read) => read(CONFIG_STREAM),
};

const STREAM_OF: Readonly<Record<FavoriteType, (id: number) => string>> = {
  mapping: mappingStream,
  snapshot: snapshotStream,
  instance: instanceStream,
};

/** With every resource that was ever a favorite of the user. */
export const ofFavorites = (username: string): Resource => ({
  name: `favorites of ${username}`,
  readModels: [favoritesProjection, mappingsProjection, snapshotsProjection, instancesProjection],
  gather: async (read) => {
    const streams = (await read(favoritesStream(username))).flatMap(({ type, data }) =>
      type === 'FavoriteAdded' ? [STREAM_OF[data.resourceType](data.resourceId)] : [],
    );
    await Promise.all(streams.map(read));
  },
});

/** The streams of a resource. Left when one cannot be read or decoded. */
export const readStreams = async (
  store: Pick<EventStore, 'readStream'>,
  { gather }: Resource,
): Promise<Either<DomainError<'SERVICE_UNAVAILABLE' | 'INTERNAL_ERROR'>, readonly (readonly FeedEvent[])[]>> => {
  const streams = new Map<string, readonly FeedEvent[]>();
  const failures: DomainError<'SERVICE_UNAVAILABLE' | 'INTERNAL_ERROR'>[] = [];
  await gather(async (streamId) => {
    const stored = streams.has(streamId) ? right([]) : await store.readStream(streamId);
    if (isLeft(stored)) {
      failures.push(readFailed(stored.left));
      return [];
    }
    const events = streams.get(streamId) ?? stored.right.map(readFeedEvent);
    streams.set(streamId, events);
    return events.flatMap(({ readable }) => {
      if (isLeft(readable)) failures.push(unreadable(readable.left));
      return isLeft(readable) ? [] : [readable.right];
    });
  });
  const [failure] = failures;
  return failure === undefined ? right([...streams.values()]) : left(failure);
};
