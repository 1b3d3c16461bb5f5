import { type GraphSchema } from '../../graph-schema';
import { closing } from '../../query/clauses';
import { type PlacedToken } from '../../query/word-roles';
import { comparisonsIn, type Comparison, type Span } from './comparisons';
import { type StoredForm } from './moment';
import { bindingsIn, formsOfSchema, formsReader, type ExpressionForms } from './stored-forms';
import { type TimeCall } from './time-calls';

/** What one side of a comparison is. */
export type Side =
  /** Nothing of the engine's own times, but perhaps `date(n.born)`, which is `n.born`. */
  | { readonly kind: 'text'; readonly span: Span; readonly unneeded: TimeCall | null }
  /** Calls that are the same for every row. */
  | { readonly kind: 'moments'; readonly calls: readonly TimeCall[] }
  | { readonly kind: 'times'; readonly calls: readonly TimeCall[] };

const COMPONENTS =
  /^(year|quarter|month|week|dayOfWeek|dayOfQuarter|ordinalDay|day|hour|minute|second|millisecond)s?$/i;
/** Functions that make no time of one. */
const PLAIN_FUNCTIONS = new Set(['TOSTRING', 'TOSTRINGORNULL', 'TOJSON', 'TYPEOF', 'SIZE', 'COUNT', 'EXISTS']);

/** Tells what the expressions of one query are made of. */
export class TimeReader {
  readonly comparisons: readonly Comparison[];
  readonly formsOf: (span: Span) => ExpressionForms;
  /** Of all dates and times of the graph. */
  readonly schemaForms: ReadonlySet<StoredForm>;
  /** Names that stand for times, or for what holds some. */
  private readonly names = new Set<string>();
  private readonly callsByStart: ReadonlyMap<number, TimeCall>;
  /** The sides of comparisons by their first token. */
  private readonly operands = new Map<number, Span[]>();

  constructor(
    readonly tokens: readonly PlacedToken[],
    readonly calls: readonly TimeCall[],
    schema: GraphSchema,
  ) {
    this.comparisons = comparisonsIn(tokens);
    const bindings = bindingsIn(tokens);
    this.callsByStart = new Map(calls.map((call) => [call.span.from, call]));
    for (const operand of this.comparisons.flat()) {
      this.operands.set(operand.from, [...(this.operands.get(operand.from) ?? []), operand]);
    }
    this.formsOf = formsReader(tokens, schema, bindings, this.callsByStart);
    this.schemaForms = formsOfSchema(schema);
    for (const { name, expression } of bindings) {
      if (this.holdsTimes(expression)) this.names.add(name);
    }
  }

  side(span: Span): Side {
    if (!this.holdsTimes(span)) return { kind: 'text', span, unneeded: null };
    const moments = this.momentsOf(span);
    if (moments !== null) return { kind: 'moments', calls: moments };
    const calls = this.calls.filter((call) => isWithin(call.span, span));
    const only = this.callAt(withoutParentheses(this.tokens, span));
    return only !== undefined && this.isStoredProperty(only)
      ? { kind: 'text', span: argumentOf(only), unneeded: only }
      : { kind: 'times', calls };
  }

  /** `date(n.born)` of a DATE, `localdatetime(n.seen)` of a TIMESTAMP. */
  private isStoredProperty(call: TimeCall): boolean {
    const { from, to } = argumentOf(call);
    const [variable, dot, property, ...more] = this.tokens.slice(from, to);
    if (variable === undefined || dot?.text !== '.' || property === undefined || more.length > 0) return false;
    const forms = [...this.formsOf(argumentOf(call)).forms];
    return forms.length === 1 && (forms[0] === 'DATE') === (call.name === 'DATE');
  }

  /** The calls an expression is, alone or in a list; null when it is anything else. */
  private momentsOf(span: Span): readonly TimeCall[] | null {
    const inner = withoutParentheses(this.tokens, span);
    const call = this.callAt(inner);
    if (call !== undefined) return call.moment === null ? null : [call];
    if (this.tokens[inner.from]?.text !== '[' || closing(this.tokens, inner.from) !== inner.to - 1) return null;
    const elements = splitAtCommas(this.tokens, { from: inner.from + 1, to: inner.to - 1 });
    const calls = elements.map((element) => this.callAt(element));
    return calls.every((one) => one !== undefined && one.moment !== null)
      ? calls.filter((one) => one !== undefined)
      : null;
  }

  private callAt({ from, to }: Span): TimeCall | undefined {
    const call = this.callsByStart.get(from);
    return call?.span.to === to ? call : undefined;
  }

  /** Whether a value may be, or hold, a time. What is compared inside is true or false. */
  private holdsTimes(span: Span): boolean {
    for (let index = span.from; index < span.to; index++) {
      const inside = this.operands.get(index)?.find((operand) => isWithin(operand, span) && !isWithin(span, operand));
      const token = this.tokens[index];
      const isPlain =
        token?.role === 'name' && PLAIN_FUNCTIONS.has(token.upper) && this.tokens[index + 1]?.text === '(';
      const call = this.callsByStart.get(index);
      const end = call?.span.to ?? index + 1;
      if (inside !== undefined) index = inside.to - 1;
      else if (isPlain) index = closing(this.tokens, index + 1);
      else if ((call !== undefined || this.isTimeName(index)) && !this.isComponent(end)) return true;
      else index = end - 1;
    }
    return false;
  }

  private isTimeName(index: number): boolean {
    const [before, token, next] = this.tokens.slice(Math.max(0, index - 1), index + 2);
    return (
      token !== undefined &&
      this.names.has(token.text) &&
      before?.text !== '.' &&
      next?.text !== '(' &&
      next?.text !== ':'
    );
  }

  /** `.year` behind a time. */
  private isComponent(index: number): boolean {
    return this.tokens[index]?.text === '.' && COMPONENTS.test(this.tokens[index + 1]?.text ?? '');
  }
}

export const argumentOf = ({ span }: TimeCall): Span => ({ from: span.from + 2, to: span.to - 1 });

const isWithin = (inner: Span, outer: Span): boolean => inner.from >= outer.from && inner.to <= outer.to;

const withoutParentheses = (tokens: readonly PlacedToken[], span: Span): Span => {
  const isWrapped = tokens[span.from]?.text === '(' && closing(tokens, span.from) === span.to - 1;
  return isWrapped ? withoutParentheses(tokens, { from: span.from + 1, to: span.to - 1 }) : span;
};

const splitAtCommas = (tokens: readonly PlacedToken[], { from, to }: Span): readonly Span[] => {
  const depth = tokens[from]?.depth;
  const commas = tokens.flatMap((token, index) =>
    index >= from && index < to && token.text === ',' && token.depth === depth ? [index] : [],
  );
  const starts = [from, ...commas.map((comma) => comma + 1)];
  return starts.map((start, index) => ({ from: start, to: commas[index] ?? to }));
};
