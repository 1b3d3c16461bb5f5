import { right } from 'fp-ts/Either';
import { listExportJobs } from '../../../../queries/export-jobs';
import { readOpsState } from '../../../../queries/ops-state';
import { ExportJobSummary } from '../../../../queries/views/export-job';
import { type Handlers } from '../../kit';
import { replyPage } from '../codecs';
import { OPS_PAGE_SIZE, type opsEndpoints } from './endpoints';
import { type Caller, type PublicDependencies } from '../public-dependencies';

export const opsHandlers = ({ db, ports }: PublicDependencies): Handlers<typeof opsEndpoints, Caller> => ({
  getOpsState: async () =>
    right({ body: { ...(await readOpsState(db)), retrieved_at: ports.clock.now().toISOString() } }),

  listOpsExportJobs: ({ query }) =>
    replyPage({ limit: OPS_PAGE_SIZE, ...query }, async (page) => {
      const { items, total } = await listExportJobs(db, query, page);
      return { items: items.map(ExportJobSummary.encode), total };
    }),
});
