import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type GraphSchema } from '../../graph-schema';
import { type TextEdit } from '../../query/text-edits';
import { type PlacedToken } from '../../query/word-roles';
import { type Comparison, type Span } from './comparisons';
import { storedText, type StoredForm } from './moment';
import { timeCallsIn, type TimeCall } from './time-calls';
import { TimeReader, type Side } from './time-reader';

/** Why a comparison cannot be asked of the engine. */
export interface TimeRefusal {
  readonly message: string;
  readonly token: PlacedToken | undefined;
}

type TextSide = Extract<Side, { readonly kind: 'text' }>;
type Edits = Either<TimeRefusal, readonly TextEdit[]>;

/**
 * The graph keeps dates and times as text. The engine finds nothing when it compares text with its own dates and times,
 * and those have whole seconds. So `date(…)` and `localdatetime(…)` become text in the form of what they are compared
 * with, and other comparisons of text with a time are refused.
 */
export const storedTimes = (
  tokens: readonly PlacedToken[],
  schema: GraphSchema,
  parameters: Readonly<Record<string, unknown>>,
  now: Date,
): Edits => {
  const calls = timeCallsIn(tokens, parameters, now);
  if (calls.length === 0) return right([]);
  if (tokens.length > MAX_TOKENS) {
    const message = `Only queries of up to ${MAX_TOKENS} words and signs can have dates and times; send values as parameters.`;
    return left({ message, token: tokens[calls[0]?.span.from ?? 0] });
  }
  const reader = new TimeReader(tokens, calls, schema);
  const edits: TextEdit[] = [];
  for (const comparison of reader.comparisons) {
    const compared = comparisonEdits(reader, comparison);
    if (isLeft(compared)) return compared;
    edits.push(...compared.right);
  }
  const sum = calls.find((call) => isAddedToText(reader, call));
  return sum === undefined
    ? right(edits)
    : refused(reader, sum.span, 'A duration added to text is text: write date(…) + duration(…).');
};

const comparisonEdits = (reader: TimeReader, comparison: Comparison): Edits => {
  const [one, other] = comparison;
  const [a, b] = [reader.side(one), reader.side(other)];
  if (a.kind === 'text' && b.kind === 'text') return right([...unneeded(reader, a), ...unneeded(reader, b)]);
  if (a.kind === 'text') return textEdits(reader, a, other, b);
  if (b.kind === 'text') return textEdits(reader, b, one, a);
  if (a.kind === 'moments' && b.kind === 'moments')
    return right(momentEdits(reader, [...a.calls, ...b.calls], 'MICROSECONDS'));
  const mixed = comparison.find((span) => reader.formsOf(span).forms.size > 0);
  if (mixed !== undefined) return refused(reader, mixed, 'This is text in some rows and a time in others.');
  const inexact = [...a.calls, ...b.calls].find(losesDigits);
  const reason = 'FalkorDB has no digits below the second in its own times.';
  return inexact === undefined ? right([]) : refused(reader, inexact.span, reason);
};

/** Of a comparison of text with the other side. */
const textEdits = (reader: TimeReader, text: TextSide, other: Span, otherSide: Side): Edits => {
  if (otherSide.kind !== 'moments') return refused(reader, other, 'Text is compared with a time here.');
  const unreadable = otherSide.calls.find(({ moment }) => moment === 'unreadable');
  if (unreadable !== undefined) return refused(reader, unreadable.span, 'This is no date or time.');
  const form = formFor(reader, text.span, otherSide.calls);
  if (form === null) return refused(reader, other, 'What this is compared with may be a DATE or a TIMESTAMP.');
  return right([...unneeded(reader, text), ...momentEdits(reader, otherSide.calls, form)]);
};

/** The form of the properties in an expression; where it has none, the only one of the graph. */
const formFor = (reader: TimeReader, text: Span, calls: readonly TimeCall[]): StoredForm | null => {
  const { forms, knowsProperties } = reader.formsOf(text);
  const possible = forms.size > 0 ? forms : knowsProperties ? new Set<StoredForm>() : reader.schemaForms;
  const [only, ...others] = [...possible];
  if (others.length > 0) return null;
  return only ?? (calls.every(({ name }) => name === 'DATE') ? 'DATE' : null);
};

const momentEdits = ({ tokens }: TimeReader, calls: readonly TimeCall[], form: StoredForm): readonly TextEdit[] =>
  calls.every(({ moment }) => moment !== null && moment !== 'unreadable')
    ? calls.flatMap(({ span, moment }) =>
        moment === null || moment === 'unreadable' ? [] : [spanEdit(tokens, span, `'${storedText(moment, form)}'`)],
      )
    : [];

/** Takes off the call around a property that is stored as the call would make it. */
const unneeded = ({ tokens }: TimeReader, { span, unneeded: call }: TextSide): readonly TextEdit[] => {
  const property = tokens.slice(span.from, span.to).map(({ text }) => text);
  return call === null ? [] : [spanEdit(tokens, call.span, property.join(''))];
};

const spanEdit = (tokens: readonly PlacedToken[], { from, to }: Span, words: string): TextEdit => ({
  start: tokens[from]?.start ?? 0,
  end: tokens[to - 1]?.end ?? 0,
  words,
});

const losesDigits = ({ name, moment, span }: TimeCall): boolean => {
  if (name === 'DATE' || name === 'DURATION' || span.to - span.from === 3) return false;
  if (moment === null || moment === 'unreadable') return true;
  return moment.milliseconds % 1_000 !== 0 || moment.microseconds !== 0;
};

/** `n.born + duration('P1D')`, which would be the one text behind the other. */
const isAddedToText = (reader: TimeReader, { name, span }: TimeCall): boolean => {
  if (name !== 'DURATION') return false;
  const isStored = (from: number): boolean =>
    reader.tokens[from + 1]?.text === '.' && reader.formsOf({ from, to: from + 3 }).forms.size > 0;
  const before = ['+', '-'].includes(reader.tokens[span.from - 1]?.text ?? '') && isStored(span.from - 4);
  const after = reader.tokens[span.to]?.text === '+' && isStored(span.to + 1);
  return before || after;
};

const refused = ({ tokens }: TimeReader, { from }: Span, reason: string): Edits =>
  left({ message: `${reason} ${FORMS}`, token: tokens[from] });

/** What the square of takes some tenths of a second. */
const MAX_TOKENS = 10_000;

const FORMS =
  "FalkorDB instances keep dates and times as text: compare with '1998-01-31' for a DATE, and with " +
  "'1998-01-31T10:00:00.000Z' for a TIMESTAMP, or six digits where the column has them.";
