import { type ReadDatabase } from './kit/database';
import { filterResources, type ListOptions, type Page, readPage, type ResourceFilters, sorted } from './kit/list';
import { InstanceView } from './views/instance';

export interface InstanceFilters extends ResourceFilters {
  readonly snapshotId?: number | undefined;
  readonly status?: string | undefined;
}

/** What pods report: null before the first report. */
const MEASURES: readonly string[] = ['last_activity_at', 'memory_usage_bytes'];

/** Instances with the latest reports of their pods. Ties are broken by id, instances without a report come last. */
export const listInstances = (
  db: ReadDatabase,
  filters: InstanceFilters,
  options: ListOptions,
): Promise<Page<InstanceView>> => {
  const query = db('read.instances');
  filterResources(query, filters);
  if (filters.status !== undefined) query.where('status', filters.status);
  if (filters.snapshotId !== undefined) query.where('snapshot_id', filters.snapshotId);
  const isNullable = MEASURES.includes(options.sortBy);
  return readPage(sorted(query, { ...options, isNullable }), options, InstanceView);
};
