import { type Position } from '../domain/kernel/event';
import { type FirstParked } from '../domain/ports/parked-event-retry';
import { type ReadDatabase } from './kit/database';
import { type Page, type PageBounds, readPage } from './kit/list';
import { ParkedEventView } from './views/parked-event';

export interface ParkedFilters {
  readonly reader?: string | undefined;
  readonly streamId?: string | undefined;
}

/** What readers of the feed hold back, each in its present version and epoch: by reader, stream and position. */
export const listParkedEvents = (
  db: ReadDatabase,
  { reader, streamId }: ParkedFilters,
  page: PageBounds,
): Promise<Page<ParkedEventView>> => {
  const present = db('es.subscriptions').max('version').whereRaw('name = p.reader');
  const parked = db('es.parked AS p')
    .join('es.subscriptions AS s', (on) => {
      void on.on('s.name', 'p.reader').andOn('s.version', 'p.version').andOn('s.epoch', 'p.epoch');
    })
    .where('p.version', present);
  if (reader !== undefined) void parked.where('p.reader', reader);
  if (streamId !== undefined) void parked.where('p.stream_id', streamId);
  const inOrder = parked.orderBy(['p.reader', 'p.stream_id', 'p.position']);
  return readPage(inOrder.select(db.raw('p.position::text AS position')), page, ParkedEventView, { position: null });
};

/** The event that holds a stream back for a reader; null when nothing does. */
export const findFirstParked = async (
  db: ReadDatabase,
  reader: string,
  streamId: string,
): Promise<FirstParked | null> => {
  const page = await listParkedEvents(db, { reader, streamId }, { offset: 0, limit: 1 });
  const [first] = page.items;
  // The digits of the column are what positions are written as.
  return first === undefined ? null : { position: first.position as Position, eventType: first.event_type };
};
