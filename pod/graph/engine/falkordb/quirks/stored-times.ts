import { list, literal } from '../../cypher/build';
import { type Cure, type CureContext } from '../../cypher/cure';
import { type TypeOf } from '../../cypher/expression-types';
import { QueryFault } from '../../cypher/query-fault';
import { constantText } from '../../cypher/regular-expressions';
import { valueTypes } from '../../cypher/scopes';
import { make } from '../../cypher/template';
import { type Expression, type Parameter, type PropertyAccess, type Query } from '../../cypher/tree';
import { itemType, storedTime, type ValueType } from '../../cypher/value-type';
import { changeExpressions, clausesIn, expressionsIn, isProjection, operandsOf } from '../../cypher/walk';
import { Duration } from '../../evaluate/temporal/duration';
import { Moment } from '../../evaluate/temporal/moment';
import { isUnusualTime, momentOfText } from '../../evaluate/temporal/moment-of-text';
import { allProperties, type GraphSchema } from '../../graph-schema';
import { type StoredForm, storedForm, storedText } from '../storage';
import { inlinedConstants } from './inlined-constants';

/**
 * The graph stores dates and times as text, and the pod has computed the constants. One of these becomes text if it is
 * next to a stored date or time, and `.year` of a stored date is read from a date; any other is rejected.
 */
export const storedTimes: Cure = (original, context) => {
  const isTime = (value: Expression): value is Parameter => timeOf(value, context) !== null;
  const query = expressionsIn(original).some(isTime) ? inlinedConstants(original, isTime) : original;
  const typeOf = valueTypes(query, context.schema);
  const textBeside: TextBeside = (value, other, isOrdered) => {
    if (hasOtherText(itemType(typeOf(other))))
      return otherText(value, constantText(value, context.parameters), isOrdered);
    const form = formOf(other, typeOf, context.schema);
    if (form === null) return value;
    const time = timeOf(value, context);
    if (time instanceof Moment && hasForm(time, form)) return literal(storedText(time, form), value);
    const text = time === null ? constantText(value, context.parameters) : null;
    if (text === null) return value;
    const read = isUnusualTime(text) ? null : momentOfText(text, form === 'DATE' ? 'DATE' : 'TIMESTAMP');
    if (read !== null) return literal(storedText(read, form), value);
    return isOrdered && !isUnusualTime(text) ? literal(null, value) : value;
  };
  const compared = changeExpressions(query, (value) => {
    const isIn = value.kind === 'binary' && value.operator === 'IN' && isKept(typeOf(value.left));
    return withTexts(isIn ? { ...value, right: listOf(value.right, context) } : value, textBeside);
  });
  const passed = new Set(passedIn(compared));
  const written = changeExpressions(compared, (value, original) => {
    if (value.kind === 'property' && original.kind === 'property') return component(value, typeOf(original.of));
    if (value.kind === 'call' && isDay(original, typeOf)) return make("split(_1, 'T')[0]", value, ...value.arguments);
    const time = passed.has(value) ? timeOf(value, context) : null;
    return time instanceof Moment && hasForm(time, 'DATE') ? literal(storedText(time, 'DATE'), value) : value;
  });
  rejectOthers(written, context);
  return written;
};

/** Whether a value is `date(…)` of a stored date or time. */
export const isDay = (value: Expression, typeOf: TypeOf): boolean =>
  value.kind === 'call' && /^date$/i.test(value.name) && value.arguments.some((of) => storedTime(typeOf(of)) !== null);

/** The values that are passed on as they are, to columns, lists, maps and other expressions: a date is its text there. */
const passedIn = (query: Query): readonly Expression[] => [
  ...clausesIn(query)
    .filter(isProjection)
    .flatMap(({ items, orderBy }) => [...items, ...orderBy].map(({ value }) => value)),
  ...expressionsIn(query).flatMap((value) => {
    if (value.kind === 'case') return [...value.branches.map(({ then }) => then), value.otherwise ?? []].flat();
    if (value.kind === 'call') return PASSING.test(value.name) ? value.arguments : [];
    return /^(list|map|map_projection)$/.test(value.kind) ? operandsOf(value) : [];
  }),
];

const PASSING = /^(coalesce|min|max|collect)$/i;

/** A constant that the pod has computed; null for any other value. */
const timeOf = (value: Expression, context: CureContext): Moment | Duration | null => {
  if (value.kind !== 'parameter' || value.type === undefined || NO_TIME.test(value.type.kind)) return null;
  const time = context.parameters[value.name];
  return time instanceof Moment || time instanceof Duration ? time : null;
};

const NO_TIME = /^(text|integer|float|boolean|map|list|null)$/;

const isKept = (type: ValueType): boolean => storedTime(type) !== null || hasOtherText(type);

/** The texts of a parameter as a list; other items do not equal a date, a time or a UUID. */
const listOf = (value: Expression, context: CureContext): Expression => {
  const items: unknown = value.kind === 'parameter' ? context.parameters[value.name] : null;
  if (!Array.isArray(items)) return value;
  const texts = items.filter((item: unknown) => typeof item === 'string' || item === null);
  return list(
    texts.map((item) => literal(item, value)),
    value,
  );
};

/** Whether it is a UUID or bytes, which do not have an order among texts. */
const hasOtherText = (type: ValueType): boolean => type.kind === 'other' && /^(UUID|BLOB)$/.test(type.name);

/** A UUID is stored with small letters. */
const otherText = (value: Expression, text: string | null, isOrdered: boolean): Expression => {
  if (text === null) return value;
  return literal(isOrdered ? null : UUID.test(text) ? text.toLowerCase() : text, value);
};

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** An operand as text if the other one is a stored date or time; a text that is neither is null where it is ordered. */
type TextBeside = (value: Expression, other: Expression, isOrdered: boolean) => Expression;

/** A comparison with the operands that are written as text. */
const withTexts = (value: Expression, textBeside: TextBeside): Expression => {
  if (value.kind === 'comparison') {
    const { first, rest } = value;
    const [next, ...others] = rest;
    if (next === undefined || others.length > 0) return value;
    const isOrdered = next.operator !== '=' && next.operator !== '<>';
    const right = textBeside(next.right, first, isOrdered);
    return { ...value, first: textBeside(first, next.right, isOrdered), rest: [{ ...next, right }] };
  }
  if (value.kind === 'case' && value.subject !== null) {
    const { subject, branches } = value;
    return { ...value, branches: branches.map(({ when, then }) => ({ when: textBeside(when, subject, false), then })) };
  }
  if (value.kind !== 'binary' || value.operator !== 'IN') return value;
  const { left, right } = value;
  if (right.kind !== 'list') return { ...value, left: textBeside(left, right, false) };
  return { ...value, right: { ...right, items: right.items.map((item) => textBeside(item, left, false)) } };
};

/** The format of a stored date or time, or of the items of a list; null for any other value. */
const formOf = (value: Expression, typeOf: TypeOf, schema: GraphSchema): StoredForm | null => {
  const type = storedTime(itemType(typeOf(value)));
  if (type === null || value.kind === 'binary') return null;
  if (type === 'DATE') return 'DATE';
  return (
    allProperties(schema)
      .map(storedForm)
      .find((form) => form !== null && form !== 'DATE') ?? null
  );
};

/** Whether a constant has an order among the stored texts of a format. */
const hasForm = ({ type, local }: Moment, form: StoredForm): boolean =>
  form === 'DATE' ? type === 'DATE' : /^(LOCAL)?DATETIME$/.test(type) && local.nanosecond === 0;

const OF_DATE = ['year', 'quarter', 'month', 'week', 'dayOfWeek', 'dayOfQuarter', 'ordinalDay', 'day'];
const COMPONENTS = { DATE: OF_DATE, TIMESTAMP: [...OF_DATE, 'hour', 'minute', 'second'] };

/** `n.opened.year`, whose `n.opened` has a type. */
const component = (value: PropertyAccess, type: ValueType): Expression => {
  const time = storedTime(type);
  if (time === null) return value;
  const { text } = value.name;
  if (!COMPONENTS[time].some((known) => RegExp(`^${known}s?$`, 'i').test(text))) {
    const advice = `return the whole value, or write one of ${COMPONENTS[time].join(', ')}`;
    throw new QueryFault(`FalkorDB does not read ${text} of a ${time}: ${advice}.`, value.start);
  }
  const read = time === 'DATE' ? 'date(_1)' : 'localdatetime(substring(_1, 0, 19))';
  return { ...value, of: make(read, value, value.of) };
};

const rejectOthers = (query: Query, context: CureContext): void => {
  const time = expressionsIn(query).find((value) => timeOf(value, context) !== null);
  if (time !== undefined) throw new QueryFault(FORMS, time.start);
};

const FORMS =
  "FalkorDB keeps dates and times as text: write the constant next to a property, or compare with '1998-01-31' for a " +
  "DATE, and with '1998-01-31T10:00:00.000Z' for a TIMESTAMP, or six digits where answers have them. For a column, write toString(…).";
