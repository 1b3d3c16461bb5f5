import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type * as t from 'io-ts';
import { type DomainError, domainError } from './errors';
import { type DomainEvent, type StoredEvent } from './event';

/** The schema of one event type. */
export interface EventSpec<D = unknown> {
  /** Version of the current schema. */
  readonly schemaVersion: number;
  readonly codec: t.Decoder<unknown, D>;
  /** Upcasts data of version n to version n + 1. */
  readonly upcasts: Readonly<Record<number, (data: unknown) => unknown>>;
}

/** Event types by name. Each aggregate has one; together they list all events of the log. */
export type EventCatalogue = Readonly<Record<string, EventSpec>>;

export const eventSpec = <D>(codec: t.Decoder<unknown, D>, schemaVersion = 1): EventSpec<D> => ({
  ...{ schemaVersion, codec },
  upcasts: {},
});

/** The union of the events a catalogue declares. */
export type EventsOf<T extends EventCatalogue> = {
  [K in keyof T & string]: { readonly type: K; readonly data: T[K] extends EventSpec<infer D> ? D : never };
}[keyof T & string];

/** A catalogue that declares these events. */
export type CatalogueOf<E extends DomainEvent> = {
  readonly [K in E['type']]: EventSpec<Extract<E, { readonly type: K }>['data']>;
};

/**
 * Why a stored event cannot be read. Readers of the feed stop at an event of an unknown type, which a newer version has
 * written. An event with bad data is parked (`es.parked`).
 */
export interface UnreadableEvent {
  readonly kind: 'unknown_type' | 'bad_data';
  readonly message: string;
}

/** The error for a command or reader that needs the event. */
export const unreadable = ({ kind, message }: UnreadableEvent): DomainError<'INTERNAL_ERROR'> =>
  domainError('INTERNAL_ERROR', message, { unreadable: kind });

/** Whether the cause of an error is an event that only a newer version of rowgraph can read. */
export const needsNewerVersion = ({ code, details }: DomainError): boolean =>
  code === 'INTERNAL_ERROR' && details?.unreadable === 'unknown_type';

/** Upcasts an event to the current schema and validates it. `where` names the event in the message. */
export const decodeEventData = <T extends EventCatalogue>(
  catalogue: T,
  event: { readonly type: string; readonly schemaVersion: number; readonly data: unknown },
  where: string,
): Either<UnreadableEvent, EventsOf<T>> => {
  const name = `${event.type} v${event.schemaVersion} ${where}`;
  const spec = Object.hasOwn(catalogue, event.type) ? catalogue[event.type] : undefined;
  if (spec === undefined || event.schemaVersion > spec.schemaVersion) {
    return left({ kind: 'unknown_type', message: `${name} is unknown to this version of rowgraph; upgrade it.` });
  }
  let data = event.data;
  try {
    for (let version = event.schemaVersion; version < spec.schemaVersion; version++) {
      data = spec.upcasts[version]?.(data) ?? data;
    }
  } catch (error) {
    return left({
      kind: 'bad_data',
      message: `${name} could not be upcast to its current schema: ${String(error)}.`,
    });
  }
  const decoded = spec.codec.decode(data);
  if (isLeft(decoded)) {
    const fields = decoded.left.map((error) => error.context.map(({ key }) => key).join('.'));
    return left({ kind: 'bad_data', message: `${name} does not match its schema at ${fields.join(', ')}.` });
  }
  const readable: DomainEvent = { type: event.type, data: decoded.right };
  // The codec of this event type has just accepted the data.
  return right(readable as EventsOf<T>);
};

/** A stored event, upcast to the current schema. */
export const decodeEvent = <T extends EventCatalogue>(
  catalogue: T,
  event: StoredEvent,
): Either<UnreadableEvent, StoredEvent<EventsOf<T>>> => {
  const decoded = decodeEventData(
    catalogue,
    event,
    `at position ${event.position} (${event.streamId}@${event.revision})`,
  );
  return isLeft(decoded) ? decoded : right({ ...event, ...decoded.right });
};
