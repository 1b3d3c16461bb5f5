import { type WrapperType } from '../domain/instance';
import { type InstanceView } from './instances';
import { type ReadDatabase, toNumber, toNumberOrNull, toTimestamp } from './kit/database';
import { newestFirst, type Page, type PageBounds, readPage } from './kit/list';

export interface MappingInstanceView {
  readonly id: number;
  readonly snapshot_id: number | null;
  readonly snapshot_name: string;
  readonly owner_username: string;
  readonly wrapper_type: WrapperType;
  readonly name: string;
  readonly status: InstanceView['status'];
  readonly created_at: string;
}

interface Row extends Omit<MappingInstanceView, 'id' | 'snapshot_id' | 'created_at'> {
  readonly id: string;
  readonly snapshot_id: string | null;
  readonly created_at: Date;
}

/** The instances of all versions of a mapping, newest first. */
export const listMappingInstances = (
  db: ReadDatabase,
  mappingId: number,
  page: PageBounds,
): Promise<Page<MappingInstanceView>> =>
  readPage(newestFirst(db('read.instances').where('mapping_id', mappingId)), page, (row: Row) => ({
    id: toNumber(row.id),
    snapshot_id: toNumberOrNull(row.snapshot_id),
    snapshot_name: row.snapshot_name,
    owner_username: row.owner_username,
    wrapper_type: row.wrapper_type,
    name: row.name,
    status: row.status,
    created_at: toTimestamp(row.created_at),
  }));
