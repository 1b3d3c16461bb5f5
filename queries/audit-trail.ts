import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type AuditedResource, type AuditedType } from '../domain/audited-resource';
import { type DomainError } from '../domain/kernel/errors';
import { type Position } from '../domain/kernel/event';
import { type EventStore, readFailed } from '../domain/ports/event-store';
import { type ReadDatabase } from './kit/database';
import { columnsOf } from './kit/list';
import { type AuditedEvent, AuditRow } from './views/audit';

export interface AuditFilters {
  readonly resource_type?: AuditedType | undefined;
  readonly resource_id?: string | undefined;
  readonly actor?: string | undefined;
  readonly role?: string | undefined;
  readonly type?: string | undefined;
  readonly correlation_id?: string | undefined;
  /** Bounds of `recorded_at`, inclusive. */
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}
const EQUAL = ['resource_type', 'resource_id', 'actor', 'role', 'type', 'correlation_id'] as const;

interface AuditPage {
  readonly items: readonly AuditRow[];
  /** The cursor of the next page: time and position of the last row. Null when no row follows it. */
  readonly next: string | null;
}

/** The columns of a row; a position is text. */
export const auditColumns = (db: ReadDatabase) => [
  columnsOf(AuditRow, { position: null }),
  db.raw('audit_trail.position::text AS position'),
];

/** A page of the audit trail after the cursor, newest first. New events do not change the pages after a cursor. */
export const listAuditTrail = async (
  db: ReadDatabase,
  filters: AuditFilters,
  { cursor, limit }: { readonly cursor?: string | undefined; readonly limit: number },
): Promise<AuditPage> => {
  const query = db('audit_trail')
    .orderByRaw('recorded_at DESC, audit_trail.position DESC')
    .limit(limit + 1);
  for (const column of EQUAL) {
    const value = filters[column];
    if (value !== undefined) query.where(column, value);
  }
  if (filters.from !== undefined) query.where('recorded_at', '>=', filters.from);
  if (filters.to !== undefined) query.where('recorded_at', '<=', filters.to);
  if (cursor !== undefined) {
    const [time, position = ''] = cursor.split('-');
    query.whereRaw('(recorded_at, audit_trail.position) < (?, ?::bigint)', [new Date(Number(time)), position]);
  }
  const rows = await query.select<AuditRow[]>(...auditColumns(db));
  const items = rows.slice(0, limit);
  const last = rows.length > limit ? items.at(-1) : undefined;
  const next = last === undefined ? null : `${Date.parse(last.recorded_at)}-${last.position}`;
  return { items, next };
};

/** Whether the trail has an event of a resource: that it exists or existed. */
export const hasAuditTrail = async (db: ReadDatabase, { type, id }: AuditedResource): Promise<boolean> =>
  (await db('audit_trail').where({ resource_id: id, resource_type: type }).first('position')) !== undefined;

/** Adds the data of the events from the log, without the hashes of keys and tokens. */
export const withEventData = async (
  store: Pick<EventStore, 'readAt'>,
  rows: readonly AuditRow[],
): Promise<Either<DomainError<'SERVICE_UNAVAILABLE' | 'INTERNAL_ERROR'>, readonly AuditedEvent[]>> => {
  // The column contains positions of this log only.
  const events = await Promise.all(rows.map(({ position }) => store.readAt(position as Position)));
  const audited: AuditedEvent[] = [];
  for (const [index, row] of rows.entries()) {
    const event = events[index];
    if (event !== undefined && isLeft(event)) return left(readFailed(event.left));
    audited.push({ ...row, data: withoutHash(event?.right?.data ?? null) });
  }
  return right(audited);
};

const withoutHash = (data: unknown): unknown =>
  typeof data === 'object' && data !== null && 'hash' in data
    ? Object.fromEntries(Object.entries(data).filter(([name]) => name !== 'hash'))
    : data;
