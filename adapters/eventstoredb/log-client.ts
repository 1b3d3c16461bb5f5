import { type ExpectedRevision } from '../../domain/ports/event-store';

/** A place in the server's log. Of ordinary events both numbers are the same. */
export interface LogPlace {
  readonly commit: bigint;
  readonly prepare: bigint;
}

/** An event as the server gives it: ours, another system's or the server's own. */
export interface LogRecord {
  readonly streamId: string;
  readonly id: string;
  readonly revision: bigint;
  readonly type: string;
  readonly isJson: boolean;
  /** Both undefined where they are not JSON. */
  readonly data: unknown;
  readonly metadata: unknown;
  readonly created: Date;
  /** Missing where the server does not report it. */
  readonly place: LogPlace | null;
}

/** An event on its way to the server; data and metadata are JSON. */
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
  /** The event at `from` is the first forwards, and left out backwards. */
  readonly direction: 'forwards' | 'backwards';
  readonly maxCount: number;
}

/** Ends a call: the signal when the caller no longer waits, `onProgress` is called while records arrive. */
export interface CallWatch {
  readonly signal: AbortSignal;
  readonly onProgress: () => void;
}

/**
 * What the adapter asks of the client of EventStoreDB, always of the leader. Calls reject as the client does
 * (`rejections.ts` says what that means) and may never settle: the caller has a timer.
 */
export interface LogClient {
  append(streamName: string, expected: ExpectedRevision, events: readonly OutgoingRecord[]): Promise<Written>;
  readStream(streamName: string, query: StreamQuery, watch: CallWatch): Promise<readonly LogRecord[]>;
  /** Keeps what `take` makes of each record as it arrives, so that whole records need not be. */
  readAll<A>(query: LogQuery, watch: CallWatch, take: (record: LogRecord) => A): Promise<readonly A[]>;
  /** The stream begins at this revision; null: it was not truncated. */
  truncateBefore(streamName: string, watch: CallWatch): Promise<number | null>;
  /**
   * Calls back for every event of the streams with these prefixes from now on, and without a place when that begins;
   * rejects when the subscription is lost.
   */
  listen(prefixes: readonly string[], onEvent: (place: LogPlace | null) => void, signal: AbortSignal): Promise<void>;
  /** Ends all calls under way and the connection. */
  close(): Promise<void>;
}
