import { left, right } from 'fp-ts/Either';
import { domainError } from '../../../../domain/kernel/errors';
import { type PodRuntime } from '../../../../domain/ports/pod-runtime';
import { listExportJobs } from '../../../../queries/export-jobs';
import { listPodsToRun } from '../../../../queries/pods-to-run';
import { readOpsState } from '../../../../queries/ops-state';
import { ExportJobSummary } from '../../../../queries/views/export-job';
import { replyPage } from '../codecs';
import { OPS_PAGE_SIZE, type opsEndpoints } from './endpoints';
import { type PublicDependencies, type PublicHandlers } from '../public-dependencies';

export const opsHandlers = ({
  db,
  ports,
  podRuntime,
  podTokenOf,
}: PublicDependencies): PublicHandlers<typeof opsEndpoints> => ({
  getOpsState: async () =>
    right({ body: { ...(await readOpsState(db)), retrieved_at: ports.clock.now().toISOString() } }),

  listOpsExportJobs: ({ query }) =>
    replyPage({ limit: OPS_PAGE_SIZE, ...query }, async (page) => {
      const { items, total } = await listExportJobs(db, query, page);
      return { items: items.map(ExportJobSummary.encode), total };
    }),

  listPodsToRun: async ({ query }) => {
    if (podRuntime.managesPods) return left(runsThemItself(podRuntime));
    return replyPage(query, async (page) => {
      const { items, total } = await listPodsToRun(db, query, page);
      return { items: items.map((pod) => ({ ...pod, token: podTokenOf(pod.instance_id) })), total };
    });
  },
});

const runsThemItself = ({ kind }: PodRuntime) =>
  domainError(
    'INVALID_STATE',
    'This control plane runs the pods itself. Set ROWGRAPH_POD_RUNTIME=none to run them elsewhere.',
    { pod_runtime: kind },
  );
