import { type ExpectedRevision } from '../../domain/ports/event-store';

/** A place in the server's log. Both numbers are equal for ordinary events. */
export interface LogPlace {
  readonly commit: bigint;
  readonly prepare: bigint;
}

/** An event as returned by the server: of this log, another system or the server itself. */
export interface LogRecord {
  readonly streamId: string;
  readonly id: string;
  readonly revision: bigint;
  readonly type: string;
  readonly isJson: boolean;
  /** Both are undefined if they are not JSON. */
  readonly data: unknown;
  readonly metadata: unknown;
  readonly created: Date;
  /** Missing if the server does not report it. */
  readonly place: LogPlace | null;
}

/** An event to append; data and metadata are JSON. */
export interface OutgoingRecord {
  readonly id: string;
  readonly type: string;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
}

export interface Written {
  readonly revision: number;
  readonly place: LogPlace | null;
}

export interface StreamQuery {
  readonly from: number | 'start' | 'end';
  /** The event at `from` is the first. */
  readonly direction: 'forwards' | 'backwards';
  readonly maxCount?: number;
}

export interface LogQuery {
  readonly from: LogPlace | 'start' | 'end';
  /** Forwards starts with the event at `from`; backwards starts with the event before it. */
  readonly direction: 'forwards' | 'backwards';
  readonly maxCount: number;
}

/** Ends a call: the signal aborts when the caller stops waiting, `onProgress` is called when records arrive. */
export interface CallWatch {
  readonly signal: AbortSignal;
  readonly onProgress: () => void;
}

/**
 * The operations of EventStoreDB's client that the adapter uses, always on the leader. Calls reject as the client does
 * (see `rejections.ts`) and may never settle: the caller sets a timeout.
 */
export interface LogClient {
  append(streamName: string, expected: ExpectedRevision, events: readonly OutgoingRecord[]): Promise<Written>;
  readStream(streamName: string, query: StreamQuery, watch: CallWatch): Promise<readonly LogRecord[]>;
  /** Keeps the results of `take` for each record instead of whole records. */
  readAll<A>(query: LogQuery, watch: CallWatch, take: (record: LogRecord) => A): Promise<readonly A[]>;
  /** The first revision of the stream; null: it was not truncated. */
  truncateBefore(streamName: string, watch: CallWatch): Promise<number | null>;
  /**
   * Calls `onEvent` for every new event of the streams with these prefixes, and without a place when the subscription
   * starts; rejects when the subscription is lost.
   */
  listen(prefixes: readonly string[], onEvent: (place: LogPlace | null) => void, signal: AbortSignal): Promise<void>;
  /** Ends all calls in progress and closes the connection. */
  close(): Promise<void>;
}
