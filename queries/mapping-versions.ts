import { type EdgeDefinition, type NodeDefinition } from '../domain/mapping';
import { type ReadDatabase, toNumber, toTimestamp } from './kit/database';
import { type Page, type PageBounds, readPage } from './kit/list';

/** A version without its definitions. */
export interface MappingVersionSummary {
  readonly version: number;
  readonly change_description: string | null;
  readonly created_at: string;
  readonly created_by: string;
  readonly created_by_name: string;
}

export interface MappingVersionView extends MappingVersionSummary {
  readonly mapping_id: number;
  readonly node_definitions: readonly NodeDefinition[];
  readonly edge_definitions: readonly EdgeDefinition[];
}

type Stored<T> = Omit<T, 'mapping_id' | 'created_at'> & { readonly created_at: Date };
type Row = Stored<MappingVersionView> & { readonly mapping_id: string };

export const findMappingVersion = async (
  db: ReadDatabase,
  mappingId: number,
  version: number,
): Promise<MappingVersionView | null> => {
  const found = db('read.mapping_versions').where({ mapping_id: mappingId, version });
  const row = await found.first<Row | undefined>('*');
  return row === undefined
    ? null
    : { ...row, mapping_id: toNumber(row.mapping_id), created_at: toTimestamp(row.created_at) };
};

/** Newest first. */
export const listMappingVersions = (
  db: ReadDatabase,
  mappingId: number,
  page: PageBounds,
): Promise<Page<MappingVersionSummary>> => {
  const versions = db('read.mapping_versions').where('mapping_id', mappingId);
  const newest = versions
    .orderBy('version', 'desc')
    .select('version', 'change_description', 'created_at', 'created_by', 'created_by_name');
  return readPage(newest, page, (row: Stored<MappingVersionSummary>) => ({
    ...row,
    created_at: toTimestamp(row.created_at),
  }));
};
