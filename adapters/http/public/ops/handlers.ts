import { right } from 'fp-ts/Either';
import { listExportJobs } from '../../../../queries/export-job-list';
import { readOpsState } from '../../../../queries/ops-state';
import { type Handlers } from '../../kit';
import { type opsEndpoints } from './endpoints';
import { type Caller, type PublicDependencies } from '../public-dependencies';

const DEFAULT_PAGE_SIZE = 100;

export const opsHandlers = ({ db, ports }: PublicDependencies): Handlers<typeof opsEndpoints, Caller> => ({
  getOpsState: async () =>
    right({ body: { ...(await readOpsState(db)), retrieved_at: ports.clock.now().toISOString() } }),

  listOpsExportJobs: async ({ query: { status, offset = 0, limit = DEFAULT_PAGE_SIZE } }) => {
    const page = { offset, limit };
    const { items, total } = await listExportJobs(db, { status }, page);
    const body = items.map(({ claimed_by: _by, row_count: _rows, size_bytes: _bytes, ...job }) => job);
    return right({ body, page: { total, ...page } });
  },
});
