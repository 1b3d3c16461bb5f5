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
/** What the kind of an event consists of. */
const OF_KIND = ['resource_type', 'type', 'role'] as const;
/** The columns before the kind in an index, those with the fewest rows per value first. */
const INDEXED = ['correlation_id', 'resource_id', 'actor'] as const;
/** The events that a page looks at, if values of two indexes are wanted: such a page can be short. */
const STEP = 2000;

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
const PAGE_COLUMNS = Object.keys(AuditRow.type.props)
  .map((field) => (field === 'position' ? 'audit_trail.position::text AS position' : `audit_trail.${field}`))
  .join(', ');

/**
 * A page of the audit trail after the cursor, newest first. New events do not change the pages after a cursor.
 *
 * The newest events of each kind come from an index and are merged: there are few kinds, so that no filter reads more than
 * a page of each. Values of a second index are compared with the rows; then a page ends after `STEP` rows, and may have
 * fewer rows than the limit, or none, and a cursor.
 */
export const listAuditTrail = async (
  db: ReadDatabase,
  filters: AuditFilters,
  { cursor, limit }: { readonly cursor?: string | undefined; readonly limit: number },
): Promise<AuditPage> => {
  const [indexed, ...others] = INDEXED.filter((column) => filters[column] !== undefined);
  const depth = others.length === 0 ? limit + 1 : Math.max(limit + 1, STEP);
  const [ms, after] = cursor?.split('-') ?? [];
  const time = new Date(Number(ms));
  const values = { ...filters, time, after, depth, rows: limit + 1 };
  // Every position is above 0: the index without a value before the kind is for queries that say so (see the projection).
  const source = `FROM audit_trail WHERE ${indexed === undefined ? 'position > 0' : `${indexed} = :${indexed}`}`;
  // The tighter one of the two upper bounds: the search in an index starts at one of them, and might choose the other.
  const isAfterCursor = after !== undefined && (filters.to === undefined || time <= filters.to);
  const range = [
    ...(filters.from === undefined ? [] : [' AND recorded_at >= :from']),
    ...(filters.to === undefined || isAfterCursor ? [] : [' AND recorded_at <= :to']),
    ...(isAfterCursor ? [' AND (recorded_at, position) < (:time, CAST(:after AS bigint))'] : []),
  ].join('');
  const wanted = [
    ...OF_KIND.filter((column) => filters[column] !== undefined).map((column) => `kinds.${column} = :${column}`),
    ...others.map(
      (other) => `kinds.kind = (SELECT kind FROM audit_trail
      WHERE ${other} = :${other} AND kind >= kinds.kind ORDER BY kind LIMIT 1)`,
    ),
  ];
  const matches = ['true', ...others.map((other) => `audit_trail.${other} = :${other}`)].join(' AND ');
  const { rows } = await db.raw<{ readonly rows: readonly (AuditRow & Walked)[] }>(
    `WITH RECURSIVE kinds AS (
      (SELECT kind, ${OF_KIND.join(', ')} ${source} ORDER BY kind LIMIT 1)
      UNION ALL
      SELECT later.* FROM kinds CROSS JOIN LATERAL (
        SELECT kind, ${OF_KIND.join(', ')} ${source} AND kind > kinds.kind ORDER BY kind LIMIT 1
      ) later
    ), walked AS (
      SELECT position, row_number() OVER (ORDER BY recorded_at DESC, position DESC) AS number
      FROM kinds CROSS JOIN LATERAL (
        SELECT recorded_at, position ${source} AND kind = kinds.kind${range}
        ORDER BY recorded_at DESC, position DESC LIMIT :depth
      ) newest
      WHERE ${['true', ...wanted].join(' AND ')}
      ORDER BY number LIMIT :depth
    )
    SELECT ${PAGE_COLUMNS}, ${matches} AS matches, number = :depth AS is_last
    FROM walked JOIN audit_trail USING (position)
    WHERE ${matches} OR number = :depth
    ORDER BY number LIMIT :rows`,
    values,
  );
  const matching = rows.filter((row) => row.matches);
  const items = matching.slice(0, limit).map(({ matches: _, is_last: __, ...row }) => row);
  const last = matching.length > limit ? items.at(-1) : rows.find((row) => row.is_last);
  return { items, next: last === undefined ? null : `${Date.parse(last.recorded_at)}-${last.position}` };
};

interface Walked {
  readonly matches: boolean;
  /** More rows may follow. */
  readonly is_last: boolean;
}

/** Whether the trail has an event of a resource: that it exists or existed. */
export const hasAuditTrail = async (
  db: ReadDatabase,
  { type: resource_type, id: resource_id }: AuditedResource,
): Promise<boolean> => (await listAuditTrail(db, { resource_type, resource_id }, { limit: 1 })).items.length > 0;

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
