import { type ReadDatabase } from './kit/database';
import { type ListOptions, type Page, readPage } from './kit/list';
import { columnsOf } from './kit/view';
import { InstanceOfMapping } from './views/instance';

/** The instances of all versions of a mapping, newest first. */
export const listMappingInstances = (
  db: ReadDatabase,
  mappingId: number,
  page: Pick<ListOptions, 'offset' | 'limit'>,
): Promise<Page<InstanceOfMapping>> => {
  const instances = db('read.instances').where('mapping_id', mappingId);
  const newest = { ...page, sortBy: 'created_at', sortOrder: 'desc' } as const;
  return readPage(db, ['instances'], instances, newest, columnsOf(InstanceOfMapping));
};
