import * as t from 'io-ts';

/**
 * A position in the feed of all events: a decimal number as a string. Opaque and ordered outside the adapters;
 * compare two with `comparePositions` only.
 */
export type Position = string & { readonly Position: unique symbol };

/** The position before the first event. */
export const START = '0' as Position;

/** Orders positions of any length: negative when `a` comes before `b`. */
export const comparePositions = (a: Position, b: Position): number =>
  a.length === b.length ? (a < b ? -1 : a > b ? 1 : 0) : a.length - b.length;

/** The later of two positions. */
export const laterPosition = (a: Position, b: Position): Position => (comparePositions(a, b) >= 0 ? a : b);

/** The actor and cause of an event. Every value is a string, so that any store can keep it. */
export const eventMetadataFields = {
  /** The command that produced the event; commands are executed once per id. */
  commandId: t.string,
  /** The request or process that the event belongs to. */
  correlationId: t.string,
  /** The id of the event or request that directly caused this event; in older events, of its command. */
  causationId: t.string,
  /** A username, or `system:<process>`. */
  actor: t.string,
  /** The role of the actor at that time, or `system`. */
  role: t.string,
  /** Time of the decision, ISO 8601 UTC with milliseconds. */
  occurredAt: t.string,
};
export type EventMetadata = Readonly<Record<keyof typeof eventMetadataFields, string>> & {
  /** The span it was recorded in, as the `traceparent` of W3C Trace Context; absent without a trace. */
  readonly traceparent?: string;
};

/** A business fact: a stable type name and its data. */
export interface DomainEvent {
  readonly type: string;
  readonly data: unknown;
}

/** An event to append. */
export interface NewEvent {
  /** UUIDv7, or a UUIDv5 where a repeated attempt must produce the same event. */
  readonly id: string;
  readonly type: string;
  /** Version of the schema of `data`; readers upcast older ones. */
  readonly schemaVersion: number;
  readonly data: unknown;
  readonly metadata: EventMetadata;
}

/** An event as it was stored. `E` narrows type and data once it has been decoded. */
export type StoredEvent<E extends DomainEvent = DomainEvent> = E & {
  readonly id: string;
  readonly streamId: string;
  /** Number of the event in its stream, from 0. */
  readonly revision: number;
  readonly position: Position;
  readonly schemaVersion: number;
  readonly metadata: EventMetadata;
  /** When the store recorded it, ISO 8601 UTC. */
  readonly recordedAt: string;
};
