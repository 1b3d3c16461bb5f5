import { right } from 'fp-ts/Either';
import { type ApiClient } from '../../client/web';
import { need } from './failure';
import { LIVE_MS } from './graphs';
import { type Call, type Data, KEEP_PREVIOUS, useAnswer } from './use-answer';

export type ParkedEvent = Data<'listParkedEvents'>[number];
export type User = Data<'listUsers'>[number];
export type ExportJobStatus = Data<'listExportJobs'>[number]['status'];
export type Job = Data<'getJobsStatus'>['jobs'][number];
export type BulkRequest = Parameters<ApiClient['deleteInBulk']>[0]['body'];

const limit = 100;

/** An answer of the API, polled while the page is visible. */
const useLive = <S>(key: readonly unknown[], call: Call<S>) =>
  useAnswer(['administration', ...key], call, { refetchInterval: LIVE_MS, ...KEEP_PREVIOUS });

export const useHealth = () => useLive(['health'], (api, signal) => api.getClusterHealth({ signal }));
export const useInstanceCounts = () => useLive(['instances'], (api, signal) => api.getClusterInstances({ signal }));
export const useOpsState = () => useLive(['state'], (api, signal) => api.getOpsState({ signal }));
export const useJobs = () => useLive(['jobs'], (api, signal) => api.getJobsStatus({ signal }));

/** Parked events by reader and stream; the event that blocks a stream comes first. */
export const useParkedEvents = () =>
  useLive(['parked'], (api, signal) => api.listParkedEvents({ query: { limit }, signal }));

export const useExportJobs = (status: ExportJobStatus | undefined) => {
  const query = { limit, status };
  return useLive(['export-jobs', status], (api, signal) => api.listExportJobs({ query, signal }));
};

export const useUsers = (search: string) =>
  useLive(['users', search], (api, signal) => api.listUsers({ query: { limit, search }, signal }));

export const useApiKeys = (username: string) =>
  useLive(['keys', username], (api, signal) => api.listApiKeys({ params: { username }, query: { limit }, signal }));

export const useConfig = () =>
  useLive(['config'], async (api, signal) => {
    const [lifecycle, concurrency, maintenance, exports] = await Promise.all([
      need(api.getLifecycleConfig({ signal })),
      need(api.getConcurrencyConfig({ signal })),
      need(api.getMaintenanceConfig({ signal })),
      need(api.getExportConfig({ signal })),
    ]);
    return right({ lifecycle, concurrency, maintenance, exports });
  });
