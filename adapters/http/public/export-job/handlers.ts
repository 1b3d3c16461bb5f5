import { right } from 'fp-ts/Either';
import { countPendingJobs, listExportJobs } from '../../../../queries/export-jobs';
import { type Caller } from '../../identity';
import { type Handlers } from '../../kit';
import { replyPage } from '../codecs';
import { type exportJobEndpoints } from './endpoints';
import { type PublicDependencies } from '../public-dependencies';

export const exportJobHandlers = ({ db }: PublicDependencies): Handlers<typeof exportJobEndpoints, Caller> => ({
  listExportJobs: ({ query, identity }) => {
    const snapshotOwner = identity.role === 'analyst' ? identity.username : undefined;
    return replyPage(query, (page) => listExportJobs(db, { ...query, snapshotOwner }, page));
  },

  countPendingExportJobs: async () => right({ body: { pendingCount: await countPendingJobs(db) } }),
});
