import { type Request } from 'express';
import { left, right } from 'fp-ts/Either';
import { type DomainError, domainError, notFound } from '../../../../domain/kernel/errors';
import { addressIn } from '../../../../domain/ports/object-store';
import { countPendingJobs, listExportJobs } from '../../../../queries/export-jobs';
import { findSnapshot } from '../../../../queries/snapshots';
import { readAsOf } from '../as-of/as-of';
import { ofSnapshot } from '../as-of/resource-streams';
import { replyPage } from '../codecs';
import { type PublicHandlers, type ResourceDependencies } from '../public-dependencies';
import { type snapshotEndpoints } from './endpoints';

export const snapshotHandlers = (deps: ResourceDependencies): PublicHandlers<typeof snapshotEndpoints> => ({
  getSnapshot: ({ params: { id }, query: { as_of }, identity }) =>
    readAsOf(deps, as_of, identity, ofSnapshot(id), async ({ db, viewer }) => {
      const snapshot = await findSnapshot(db, viewer, id);
      if (snapshot === null) return left(notFound('snapshot', id));
      const storage_path = addressIn(deps.cleanup.objectStore, snapshot.storage_path);
      return right({ body: { ...snapshot, storage_path } });
    }),

  listExportJobs: ({ query, identity }) => {
    const snapshotOwner = identity.role === 'analyst' ? identity.username : undefined;
    return replyPage(query, (page) => listExportJobs(deps.db, { ...query, snapshotOwner }, page));
  },

  countPendingExportJobs: async () => right({ body: { pendingCount: await countPendingJobs(deps.db) } }),
});

/** The error for a request below `/snapshots`; null for reading one snapshot or its history. */
export const refuseSnapshotPath = ({ method, path }: Pick<Request, 'method' | 'path'>): DomainError | null =>
  /^(GET|HEAD)$/.test(method) && /^\/[^/]+(\/(audit|why))?\/?$/.test(path)
    ? null
    : domainError(
        'RESOURCE_NOT_FOUND',
        'Snapshots have no operations of their own here: POST /instances with a mapping_id makes snapshot and instance.',
      );
