import { type Position } from '../domain/kernel/event';
import { type FirstParked } from '../domain/ports/feed-consumer';
import { type ReadDatabase } from './kit/database';
import { filterList, type ListQuery, type Page, type PageBounds, readPage } from './kit/list';
import { ParkedEventView } from './views/ops';

export interface ParkedFilters extends ListQuery {
  readonly reader?: string | undefined;
  readonly stream_id?: string | undefined;
}

/**
 * The parked events of the readers of the feed, each in its current version and epoch: by reader, stream and position
 * by default. Searches streams, types and errors.
 */
export const listParkedEvents = (
  db: ReadDatabase,
  filters: ParkedFilters,
  page: PageBounds,
): Promise<Page<ParkedEventView>> => {
  const { reader, stream_id: streamId, sort_by: column, sort_order: order } = filters;
  const present = db('es.subscriptions').max('version').whereRaw('name = p.reader');
  const parked = db('es.parked AS p')
    .join('es.subscriptions AS s', (on) => {
      void on.on('s.name', 'p.reader').andOn('s.version', 'p.version').andOn('s.epoch', 'p.epoch');
    })
    .where('p.version', present);
  if (reader !== undefined) void parked.where('p.reader', reader);
  if (streamId !== undefined) void parked.where('p.stream_id', streamId);
  filterList(parked, filters, ['p.stream_id', 'p.event_type', 'p.error'], 'p.parked_at');
  if (column !== undefined) void parked.orderBy(`p.${column}`, order ?? 'desc');
  const inOrder = parked.orderBy(
    ['reader', 'stream_id', 'position'].map((name) => ({
      column: `p.${name}`,
      order: column === undefined ? order : 'asc',
    })),
  );
  return readPage(inOrder.select(db.raw('p.position::text AS position')), page, ParkedEventView, { position: null });
};

/** The first parked event of a stream for a reader, or null. */
export const findFirstParked = async (
  db: ReadDatabase,
  reader: string,
  streamId: string,
): Promise<FirstParked | null> => {
  const page = await listParkedEvents(db, { reader, stream_id: streamId }, { offset: 0, limit: 1 });
  const [first] = page.items;
  // A position is written as the digits of this column.
  return first === undefined ? null : { position: first.position as Position, eventType: first.event_type };
};
