import { type AuditedResource } from '../domain/audited-resource';
import { hasAuditTrail } from './audit-trail';
import { type ReadDatabase } from './kit/database';
import { isVisible, type Viewer } from './visible-instances';

/** The kinds of resources that users read by id. */
export type ReadableType = 'mapping' | 'snapshot' | 'instance' | 'export_job';

/**
 * Whether a viewer may ask for the history of a resource: every user who may see it, and admins and ops also when it
 * is deleted.
 */
export const mayReadHistory = async (
  db: ReadDatabase,
  type: ReadableType,
  id: number,
  viewer: Viewer,
): Promise<boolean> => {
  const resource: AuditedResource = { type, id: String(id) };
  if (viewer.role !== 'analyst') return hasAuditTrail(db, resource);
  switch (type) {
    case 'instance':
      return isVisible(db, id, viewer);
    case 'mapping':
    case 'snapshot':
      return (await db(`${type}s`).where({ id }).first('id')) !== undefined;
    case 'export_job': {
      const owned = db('snapshots').where('owner_username', viewer.username).select('id');
      return (await db('export_jobs').where({ id }).whereIn('snapshot_id', owned).first('id')) !== undefined;
    }
  }
};
