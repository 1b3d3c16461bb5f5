import { type ReadDatabase } from './kit/database';
import { newestFirst, type Page, type PageBounds, readPage } from './kit/list';
import { InstanceOfMapping } from './views/instance';

/** The instances of all versions of a mapping, newest first. */
export const listMappingInstances = (
  db: ReadDatabase,
  mappingId: number,
  page: PageBounds,
): Promise<Page<InstanceOfMapping>> =>
  readPage(newestFirst(db('read.instances').where('mapping_id', mappingId)), page, InstanceOfMapping);
