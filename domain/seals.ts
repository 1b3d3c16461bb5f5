import * as t from 'io-ts';
import { canonicalJson, type LoggedEvent } from './kernel/canonical-event';
import { type EventsOf, eventSpec } from './kernel/event-catalogue';

export const sealEvents = {
  /** The events after those of the previous seal, up to `last…`, are sealed; the events of earlier seals are among them. */
  LogSealed: eventSpec(
    t.strict({
      /** Number of events of this seal. */
      count: t.number,
      firstEventId: t.string,
      lastEventId: t.string,
      /** Where the last event is, in any copy of the log. */
      lastStreamId: t.string,
      lastRevision: t.number,
      /** The hash of the previous seal; `NO_HASH` for the first. */
      previousHash: t.string,
      hash: t.string,
    }),
  ),
};

export type LogSealed = EventsOf<typeof sealEvents>['data'];

export const SEALS_STREAM = 'seals-cluster';

/** The hash of a log before its first event. */
export const NO_HASH = '0'.repeat(64);

/** SHA-256 of a text in UTF-8, hexadecimal. */
export type Sha256 = (text: string) => string;

/** The events after a seal, folded in the order of the log. */
export interface SealedRange {
  readonly previousHash: string;
  readonly count: number;
  readonly firstEventId: string;
  /** Null without events. */
  readonly last: Pick<LoggedEvent, 'id' | 'streamId' | 'revision'> | null;
  /** Each event is hashed with the hash before it. */
  readonly hash: string;
  /** Whether anything but seals is among the events. */
  readonly hasChanges: boolean;
}

export const emptyRange = (previousHash: string): SealedRange => ({
  ...{ previousHash, count: 0, firstEventId: '', last: null, hash: previousHash, hasChanges: false },
});

export const addToRange = (sha256: Sha256, range: SealedRange, event: LoggedEvent): SealedRange => ({
  previousHash: range.previousHash,
  count: range.count + 1,
  firstEventId: range.last === null ? event.id : range.firstEventId,
  last: event,
  hash: sha256(`${range.hash}\n${canonicalJson(event)}`),
  hasChanges: range.hasChanges || event.type !== 'LogSealed',
});

/** The seal of a range; null if nothing but seals happened. */
export const sealOf = ({ count, firstEventId, last, previousHash, hash, hasChanges }: SealedRange): LogSealed | null =>
  last === null || !hasChanges
    ? null
    : {
        ...{ count, firstEventId, lastEventId: last.id, lastStreamId: last.streamId, lastRevision: last.revision },
        ...{ previousHash, hash },
      };
