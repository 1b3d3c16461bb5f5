import { type Position } from '../domain/kernel/event';
import { type FirstParked } from '../domain/ports/parked-event-retry';
import { type ReadDatabase, toTimestamp, toTimestampOrNull } from './kit/database';
import { type Page, type PageBounds, readPage } from './kit/list';

export interface ParkedEventView {
  readonly reader: string;
  readonly stream_id: string;
  readonly position: string;
  readonly event_stream_id: string;
  readonly event_type: string;
  /** Why it could not be taken in; null: it waits behind an earlier one of the stream. */
  readonly error: string | null;
  readonly attempts: number;
  readonly parked_at: string;
  readonly last_failed_at: string | null;
}

interface Row extends Omit<ParkedEventView, 'parked_at' | 'last_failed_at'> {
  readonly parked_at: Date;
  readonly last_failed_at: Date | null;
}

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
  return readPage(parked.select('p.*').orderBy(['p.reader', 'p.stream_id', 'p.position']), page, toView);
};

const toView = (row: Row): ParkedEventView => ({
  reader: row.reader,
  stream_id: row.stream_id,
  position: row.position,
  event_stream_id: row.event_stream_id,
  event_type: row.event_type,
  error: row.error,
  attempts: row.attempts,
  parked_at: toTimestamp(row.parked_at),
  last_failed_at: toTimestampOrNull(row.last_failed_at),
});

/** The event that holds a stream back for a reader; null when nothing does. */
export const findFirstParked = async (
  db: ReadDatabase,
  reader: string,
  streamId: string,
): Promise<FirstParked | null> => {
  const page = await listParkedEvents(db, { reader, streamId }, { offset: 0, limit: 1 });
  const [first] = page.items;
  // A `bigint` as the driver gives it is what positions are written as.
  return first === undefined ? null : { position: first.position as Position, eventType: first.event_type };
};
