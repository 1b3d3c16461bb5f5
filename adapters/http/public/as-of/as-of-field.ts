import { isLeft } from 'fp-ts/Either';
import { optional, textForm } from '../../../../domain/kernel/codecs';
import { type Position } from '../../../../domain/kernel/event';
import { QueryTimestamp } from '../../kit';
import { described } from '../../kit/json-schema-of';

/** A time, or a position of the log. */
export type Moment = { readonly position: Position } | { readonly time: Date };

export const MOMENT_WORDS = 'must be an ISO 8601 timestamp such as 2026-01-31T12:00:00Z, or an X-Event-Position';
/** A moment as text; null if it is malformed. */
export const parseMoment = (given: string): Moment | null => {
  // Positions are decimal numbers on the wire.
  if (/^(0|[1-9]\d{0,18})$/.test(given)) return { position: given as Position };
  const time = QueryTimestamp.decode(given);
  return isLeft(time) ? null : { time: time.right };
};

/** The query parameter of details that are also answered for an earlier moment. */
export const asOfField = {
  as_of: optional(
    described(
      { type: 'string', examples: ['2026-01-31T12:00:00Z'] },
      textForm<Moment>('moment', parseMoment, MOMENT_WORDS, (at) =>
        'time' in at ? at.time.toISOString() : at.position,
      ),
    ),
  ),
};
