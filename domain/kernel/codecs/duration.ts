import * as t from 'io-ts';

const WEEKS = /^P(\d{1,6})W$/;
const PARTS = /^P(?=\d|T\d)(?:(\d{1,6})D)?(?:T(?=\d)(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})S)?)?$/;

/**
 * Milliseconds of an ISO 8601 duration of weeks, or of days, hours, minutes and seconds; null for anything else,
 * zero included. Years and months have no fixed length and are not accepted.
 */
export const durationMs = (text: string): number | null => {
  const weeks = WEEKS.exec(text);
  const parts = PARTS.exec(text);
  const [, days = '0', hours = '0', minutes = '0', seconds = '0'] = parts ?? [];
  const total =
    weeks !== null
      ? Number(weeks[1]) * 7 * 86_400
      : parts !== null
        ? Number(days) * 86_400 + Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)
        : 0;
  return total > 0 ? total * 1000 : null;
};

/** A duration as text, kept as it was sent. */
export class DurationType extends t.Type<string> {
  readonly _tag = 'DurationType' as const;
  /** The same rule as a regular expression, for the OpenAPI document. */
  readonly pattern = `(?=.*[1-9])(?:${WEEKS.source}|${PARTS.source})`;
  constructor() {
    const fits = (u: unknown): u is string => typeof u === 'string' && durationMs(u) !== null;
    const words = 'must be an ISO 8601 duration such as PT4H or P7D (weeks, days, hours, minutes, seconds; not zero)';
    super('duration', fits, (u, context) => (fits(u) ? t.success(u) : t.failure(u, context, words)), t.identity);
  }
}

export const Duration = new DurationType();
