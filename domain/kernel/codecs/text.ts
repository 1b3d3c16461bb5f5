import * as t from 'io-ts';

export interface TextRules {
  /** Shortest length in code points. */
  readonly min: number;
  /** Longest length in code points. */
  readonly max: number;
  /** Reject text of white space only. */
  readonly notBlank?: boolean;
  /** Pattern of the whole text, and its description for the error message. */
  readonly pattern?: { readonly regexp: RegExp; readonly words: string };
}

/** Text within bounds; lengths count code points. */
export class TextType extends t.Type<string> {
  readonly _tag = 'TextType' as const;
  constructor(readonly rules: TextRules) {
    super(
      'text',
      (u): u is string => typeof u === 'string' && problem(u, rules) === null,
      (u, context) => {
        if (typeof u !== 'string') return t.failure(u, context, 'must be a string');
        const message = problem(u, rules);
        return message === null ? t.success(u) : t.failure(u, context, message);
      },
      t.identity,
    );
  }
}

const problem = (value: string, { min, max, notBlank, pattern }: TextRules): string | null => {
  const length = value.length <= max && value.length >= min * 2 ? value.length : [...value].length;
  if (length < min || length > max) return `must have ${min} to ${max} characters, not ${length}`;
  const unstorable = unstorableCharacter(value);
  if (unstorable !== null) return unstorable;
  if (notBlank === true && value.trim() === '') return 'must not be blank';
  if (pattern !== undefined && !pattern.regexp.test(value)) return pattern.words;
  return null;
};

/** The error for a character that JSON can contain and PostgreSQL cannot store; null without such characters. */
export const unstorableCharacter = (value: string): string | null => {
  if (value.includes('\u0000')) return 'must not contain the character U+0000';
  return /\p{Surrogate}/u.test(value) ? 'must not contain half a surrogate pair' : null;
};

export const text = (rules: TextRules): TextType => new TextType(rules);

/** Text of at least one character that matches a pattern as a whole; `words`: the error for others. */
export const matching = (regexp: RegExp, words: string, max: number): TextType =>
  text({ min: 1, max, pattern: { regexp, words } });

/** Any text. The error for another value says which text is expected. */
export class DescribedText extends t.StringType {
  constructor(private readonly words: string) {
    super();
  }
  override readonly validate = (u: unknown, context: t.Context): t.Validation<string> =>
    typeof u === 'string' ? t.success(u) : t.failure(u, context, this.words);
}

/**
 * A value that is written as text: in a path, a query string, an environment variable. `parse` returns null for invalid
 * text.
 */
export const textForm = <A>(
  name: string,
  parse: (given: string) => A | null,
  words: string,
  write: (value: A) => string,
): t.Type<A, string> =>
  new t.Type<A, string>(
    name,
    // Only texts are decoded; a value is the result of parsing a text.
    (u): u is A => u !== undefined,
    (u, context) => {
      const value = typeof u === 'string' ? parse(u) : null;
      return value === null ? t.failure(u, context, words) : t.success(value);
    },
    write,
  );

/** The parsed document; undefined for invalid JSON. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

// A duration from now ends before the year 10,000, the last that ISO 8601 and PostgreSQL write with four digits.
const WEEKS = /^P(\d{1,5})W$/;
const PARTS = /^P(?=\d|T\d)(?:(\d{1,6})D)?(?:T(?=\d)(?:(\d{1,7})H)?(?:(\d{1,9})M)?(?:(\d{1,9})S)?)?$/;

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
