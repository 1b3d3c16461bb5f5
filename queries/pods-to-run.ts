import { type ReadDatabase } from './kit/database';
import { filterList, type ListQuery, type Page, type PageBounds, readPage, sorted } from './kit/list';
import { PodToRun } from './views/instance';

export interface PodQuery extends ListQuery {
  readonly status?: PodToRun['status'] | undefined;
}

/** The instances that need a pod; the pods of all others must be stopped. Searches names and owners. */
export const listPodsToRun = (db: ReadDatabase, filters: PodQuery, page: PageBounds): Promise<Page<PodToRun>> => {
  const query = db('instances').whereIn('status', ['starting', 'running']);
  filterList(query, filters, ['name', 'owner_username']);
  if (filters.status !== undefined) query.where('status', filters.status);
  return readPage(sorted(query, filters), page, PodToRun, { instance_id: 'id' });
};
