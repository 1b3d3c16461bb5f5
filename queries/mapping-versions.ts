import { type ReadDatabase } from './kit/database';
import { type Page } from './kit/list';
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
export const listMappingVersions = async (
  db: ReadDatabase,
  mappingId: number,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<Page<MappingVersionSummary>> => {
  const versions = db('read.mapping_versions').where('mapping_id', mappingId);
  const [counted] = await versions.clone().count<{ total: number }[]>({ total: '*' });
  const newest = versions.orderBy('version', 'desc').offset(offset).limit(limit);
  const items = await newest.select<MappingVersionSummary[]>(columnsOf(MappingVersionSummary));
  return { items, total: counted?.total ?? 0 };
};
