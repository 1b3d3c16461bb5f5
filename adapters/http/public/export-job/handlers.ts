import { right } from 'fp-ts/Either';
import { countPendingJobs, listExportJobs } from '../../../../queries/export-jobs';
import { replyPage } from '../codecs';
import { type exportJobEndpoints } from './endpoints';
import { type PublicDependencies, type PublicHandlers } from '../public-dependencies';

export const exportJobHandlers = ({ db }: PublicDependencies): PublicHandlers<typeof exportJobEndpoints> => ({
  listExportJobs: ({ query, identity }) => {
    const snapshotOwner = identity.role === 'analyst' ? identity.username : undefined;
    return replyPage(query, (page) => listExportJobs(db, { ...query, snapshotOwner }, page));
  },

  countPendingExportJobs: async () => right({ body: { pendingCount: await countPendingJobs(db) } }),
});
