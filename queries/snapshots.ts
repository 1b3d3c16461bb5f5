import { type ReadDatabase } from './kit/database';
import {
  columnsOf,
  filterResources,
  type Page,
  type PageBounds,
  readPage,
  type ResourceQuery,
  sorted,
} from './kit/list';
import { InstanceOfSnapshot } from './views/instance';
import { SnapshotDetailView, SnapshotListView } from './views/snapshot';
import { type Viewer, visibleInstances } from './visible-instances';

/**
 * The system creates snapshots with a name and without a description. Their progress is that of the jobs, overridden by
 * the report of a worker.
 */
const SNAPSHOTS = `(
  SELECT s.*, '' AS description,
    ? AS instance_count,
    CASE WHEN s.status IN ('pending', 'creating') AND coalesce(counted.progress, p.data) IS NOT NULL THEN
      '{"phase": null, "current_step": null, "completed_steps": 0, "total_steps": 0}'
        || coalesce(counted.progress, '{}') || coalesce(p.data, '{}')
    END AS progress
  FROM snapshots s
  LEFT JOIN snapshot_progress p ON p.snapshot_id = s.id
  LEFT JOIN LATERAL (
    SELECT jsonb_build_object(
      'current_step', min(entity_name) FILTER (WHERE j.status IN ('claimed', 'submitted')),
      'completed_steps', count(*) FILTER (WHERE j.status = 'completed'),
      'total_steps', count(*)) AS progress
    FROM export_jobs j WHERE j.snapshot_id = s.id HAVING count(*) > 0
  ) AS counted ON true
) AS snapshots`;

/** All snapshots, with the number of their instances that the viewer may see. */
const snapshots = (db: ReadDatabase, viewer: Viewer) =>
  db.from(db.raw(SNAPSHOTS, [visibleInstances(db, viewer).whereRaw('snapshot_id = s.id').count('*')]));

export const findSnapshot = async (
  db: ReadDatabase,
  viewer: Viewer,
  id: number,
): Promise<SnapshotDetailView | null> => {
  const found = snapshots(db, viewer).where({ id });
  const columns = columnsOf(SnapshotDetailView, { instances: null });
  const snapshot = await found.first<Omit<SnapshotDetailView, 'instances'> | undefined>(columns);
  if (snapshot === undefined) return null;
  const instances = await visibleInstances(db, viewer)
    .where('snapshot_id', id)
    .orderBy('id', 'desc')
    .select<InstanceOfSnapshot[]>(columnsOf(InstanceOfSnapshot));
  return { ...snapshot, instances };
};

/** The snapshots of all versions of a mapping, newest first by default. */
export const listMappingSnapshots = (
  db: ReadDatabase,
  viewer: Viewer,
  mappingId: number,
  filters: ResourceQuery,
  page: PageBounds,
): Promise<Page<SnapshotListView>> => {
  const query = snapshots(db, viewer).where('mapping_id', mappingId);
  filterResources(query, filters);
  return readPage(sorted(query, filters, ['size_bytes']), page, SnapshotListView);
};
