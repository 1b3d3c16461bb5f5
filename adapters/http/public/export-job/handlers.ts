import { right } from 'fp-ts/Either';
import { countPendingJobs, listExportJobs } from '../../../../queries/export-jobs';
import { type Handlers } from '../../kit';
import { pageOf } from '../codecs';
import { type exportJobEndpoints } from './endpoints';
import { type Caller, type PublicDependencies } from '../public-dependencies';

export const exportJobHandlers = ({ db }: PublicDependencies): Handlers<typeof exportJobEndpoints, Caller> => ({
  listExportJobs: async ({ query, identity }) => {
    const page = pageOf(query);
    const snapshotOwner = identity.role === 'analyst' ? identity.username : undefined;
    const { items, total } = await listExportJobs(db, { status: query.status, snapshotOwner }, page);
    return right({ body: items, page: { total, ...page } });
  },

  countPendingExportJobs: async () => right({ body: { pendingCount: await countPendingJobs(db) } }),
});
