import { type ReadDatabase } from './kit/database';
import { type Page, type PageBounds, readPage } from './kit/list';
import { columnsOf } from './kit/view';
import { MappingVersionSummary, MappingVersionView } from './views/mapping';

export const findMappingVersion = async (
  db: ReadDatabase,
  mappingId: number,
  version: number,
): Promise<MappingVersionView | null> => {
  const found = db('read.mapping_versions').where({ mapping_id: mappingId, version });
  return (await found.first<MappingVersionView | undefined>(columnsOf(MappingVersionView))) ?? null;
};

/** Newest first. */
export const listMappingVersions = (
  db: ReadDatabase,
  mappingId: number,
  page: PageBounds,
): Promise<Page<MappingVersionSummary>> => {
  const versions = db('read.mapping_versions').where('mapping_id', mappingId);
  return readPage(versions.orderBy('version', 'desc'), page, MappingVersionSummary);
};
