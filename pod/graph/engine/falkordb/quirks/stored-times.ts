import { literal } from '../../cypher/build';
import { QueryFault } from '../../cypher/query-fault';
import { type Quirk, type QuirkContext } from '../../cypher/quirk';
import { make } from '../../cypher/template';
import { type Call, type Expression, type PropertyAccess, type Query } from '../../cypher/tree';
import { type ValueType } from '../../cypher/value-type';
import { type TypeOf, valueTypes } from '../../cypher/value-types';
import { changeExpressions, clausesIn, expressionsIn, operandsOf, partsOf } from '../../cypher/walk';
import { constantMoment } from '../../evaluate/temporal/make-moment';
import { type Moment } from '../../evaluate/temporal/moment';
import { allProperties, type GraphSchema } from '../../graph-schema';
import { type StoredForm, storedForm, storedText } from '../storage';

/**
 * The graph stores dates and times as text, and the server finds nothing when it compares text with its own times. So
 * `date('…')` and `localdatetime('…')` with a constant become text in the format of the other operand of a comparison,
 * of IN or of the properties of a pattern, and `.year` of a stored date is read from a date. Other calls whose result
 * may be compared are rejected.
 */
export const storedTimes: Quirk = {
  id: 'falkordb-stored-times',
  description: 'Dates and times are stored as strings, which are not equal to any date or time.',
  rewrite: (query, context) => {
    const values = [...expressionsIn(query)];
    const hasTimes = values.some(isTimeCall);
    if (!hasTimes && !values.some(isComponent)) return query;
    const typeOf = valueTypes(query, context.schema);
    const met = hasTimes ? formsThatAreMet(query, typeOf, context) : new Map<Expression, Met>();
    const written = changeExpressions(query, (value, original) => {
      if (isComponent(value) && isComponent(original)) return component(value, original, typeOf);
      return isTimeCall(value) ? asText(value, met.get(original), typeOf, context) : value;
    });
    if (hasTimes) rejectOthers(written, query, context.schema);
    return written;
  },
};

const TIME_FUNCTIONS = new Set(['DATE', 'LOCALDATETIME', 'LOCALTIME', 'DURATION']);
const COMPONENT = /^(year|quarter|month|week|dayOfWeek|dayOfQuarter|ordinalDay|day|hour|minute|second|millisecond)s?$/i;

export const isTimeCall = (value: Expression): value is Call =>
  value.kind === 'call' && TIME_FUNCTIONS.has(value.name.toUpperCase());

const isComponent = (value: Expression): value is PropertyAccess =>
  value.kind === 'property' && COMPONENT.test(value.name.text);

/** The type of stored time that a value has; null for any other value. */
const storedTime = (type: ValueType): 'DATE' | 'TIMESTAMP' | null =>
  type.kind === 'other' && (type.name === 'DATE' || type.name === 'TIMESTAMP') ? type.name : null;

/** `n.opened.year`, of a date or time that may be text or a time of the engine. */
const component = (value: PropertyAccess, { of }: PropertyAccess, typeOf: TypeOf): Expression => {
  const time = storedTime(typeOf(of));
  if (time === null || isTimeCall(of)) return value;
  if (time === 'TIMESTAMP' && /^millisecond/i.test(value.name.text))
    return rejected(value, 'Fractions of seconds are not read: write toInteger(substring(time, 20, 3)).');
  const read = time === 'DATE' ? 'date(toString(_1))' : 'localdatetime(substring(toString(_1), 0, 19))';
  return { ...value, of: make(read, value, value.of) };
};

/** The formats of the other operand of a time; null: computed; `kept`: it must remain a time of the engine. */
type Met = ReadonlySet<StoredForm> | 'kept' | null;

const formsThatAreMet = (query: Query, typeOf: TypeOf, context: QuirkContext): ReadonlyMap<Expression, Met> => {
  const met = new Map<Expression, Met>();
  const note = (times: readonly Expression[], others: readonly Expression[]): void => {
    const forms = others
      .filter((other) => !isConstantTime(other, context))
      .map((other) => formsOf(other, typeOf, context));
    const all = forms.includes(null) ? null : new Set(forms.flatMap((some) => [...(some ?? [])]));
    for (const time of times) if (isTimeCall(time)) met.set(time, forms.length === 0 ? new Set(['MICROSECONDS']) : all);
  };
  const keep = (times: readonly Expression[]): void => times.forEach((time) => met.set(time, 'kept'));
  for (const value of expressionsIn(query)) {
    if (value.kind === 'comparison') {
      const operands = operandsOf(value);
      const times = operands.filter((operand) => !isTimeCall(operand)).map((operand) => storedTime(typeOf(operand)));
      if (times.includes('DATE') && times.includes('TIMESTAMP'))
        rejected(value, 'A DATE has no order with a TIMESTAMP.');
      for (const [at, time] of operands.entries())
        note(
          [time],
          operands.filter((_, other) => Math.abs(other - at) === 1),
        );
    } else if (value.kind === 'binary' && value.operator === 'IN') {
      const items = value.right.kind === 'list' ? value.right.items : [value.right];
      note(items, [value.left]);
      note([value.left], items);
    } else if (value.kind === 'case' && value.subject !== null) {
      const whens = value.branches.map(({ when }) => when);
      note(whens, [value.subject]);
      note([value.subject], whens);
    } else if (isComponent(value)) keep([value.of]);
    else if (value.kind === 'binary' && /^[-+]$/.test(value.operator)) keep([value.left, value.right]);
    else if (value.kind === 'call' && READS_TIMES.test(value.name)) keep(value.arguments);
  }
  for (const part of partsOf(query)) {
    const properties = 'properties' in part ? (part.properties as Expression | null) : null;
    if (properties?.kind !== 'map') continue;
    for (const { key, value } of properties.entries) met.set(value, storedForms(context.schema, key.text));
  }
  return met;
};

const READS_TIMES = /^(date|local(date)?time|duration(\.\w+)?|toString)$/i;

const DATES: ReadonlySet<StoredForm> = new Set(['DATE']);

/** A time as text in the format of the other operand; unchanged if that is unknown. */
const asText = (value: Call, met: Met | undefined, typeOf: TypeOf, context: QuirkContext): Expression => {
  if (met === 'kept') return value;
  const moment = momentOf(value, context);
  const [of] = value.arguments;
  const isDate = value.name.toUpperCase() === 'DATE';
  if (moment === undefined) {
    if (isDate && of !== undefined && storedTime(typeOf(of)) === 'DATE') return of;
    return met === undefined ? value : rejected(value, NOT_CONSTANT);
  }
  if (met === null) return rejected(value, NOT_CONSTANT);
  if (moment === NULL) return literal(null, value);
  if (moment === null) return rejected(value, 'Not a valid date or time.');
  const possible = met ?? (isDate ? DATES : storedForms(context.schema, undefined, 'TIMESTAMP'));
  const [form = isDate ? 'DATE' : undefined, ...others] = possible;
  if (others.length > 0 && met === undefined) return value;
  if ((form === undefined && met !== undefined) || others.length > 0)
    return rejected(value, 'What this is compared with may be a DATE or a TIMESTAMP.');
  return literal(storedText(moment, form ?? 'MICROSECONDS'), value);
};

const NULL = Symbol('null');

/** The value of a call in every row; undefined: depends on the row; null: not a date or time. */
const momentOf = (
  { name, arguments: [value, more] }: Call,
  context: QuirkContext,
): Moment | typeof NULL | null | undefined => {
  const upper = name.toUpperCase();
  if ((upper !== 'DATE' && upper !== 'LOCALDATETIME') || more !== undefined) return undefined;
  const constant =
    value === undefined ? context.now.toISOString().slice(0, upper === 'DATE' ? 10 : 19) : constantOf(value, context);
  if (constant === undefined) return undefined;
  if (constant === null) return NULL;
  return typeof constant === 'string' ? constantMoment(upper, constant) : null;
};

/** The value of a literal or a parameter; undefined for anything else. */
const constantOf = (value: Expression, context: QuirkContext): unknown => {
  if (value.kind === 'parameter') return context.parameters[value.name];
  if (value.kind === 'number') return Number(value.text);
  return value.kind === 'literal' ? value.value : undefined;
};

const isConstantTime = (value: Expression, context: QuirkContext): boolean =>
  isTimeCall(value) && momentOf(value, context) !== undefined;

/** The formats of the properties that an operand may be; null for a computed operand. */
const formsOf = (operand: Expression, typeOf: TypeOf, { schema }: QuirkContext): ReadonlySet<StoredForm> | null => {
  if (operand.kind === 'property' && operand.of.kind === 'variable') return storedForms(schema, operand.name.text);
  if (isTimeCall(operand)) {
    const [of] = operand.arguments;
    return of !== undefined && operand.name.toUpperCase() === 'DATE' && storedTime(typeOf(of)) === 'DATE'
      ? DATES
      : null;
  }
  const time = storedTime(typeOf(operand));
  if (time !== null && operand.kind !== 'binary') return storedForms(schema, undefined, time);
  return operand.kind === 'variable' || operand.kind === 'parameter' ? storedForms(schema) : null;
};

/** The formats of the properties of a name and a type, or of all properties. */
const storedForms = (schema: GraphSchema, name?: string, time?: 'DATE' | 'TIMESTAMP'): ReadonlySet<StoredForm> => {
  const properties = allProperties(schema).filter((property) => name === undefined || property.name === name);
  const forms = properties.map(storedForm).filter((form) => form !== null);
  return new Set(time === undefined ? forms : forms.filter((form) => (form === 'DATE') === (time === 'DATE')));
};

/** Rejects the remaining times that may be compared with text, or are added to text. */
const rejectOthers = (query: Query, before: Query, schema: GraphSchema): void => {
  const compares = isCompared(before);
  for (const clause of clausesIn(query)) {
    const values = clause.kind === 'return' ? clause.items.map(({ value }) => value) : [clause];
    for (const value of values) {
      const [time] = timesIn(value);
      // A value of RETURN can be compared only within its own item; any other value anywhere.
      if (time !== undefined && (clause.kind === 'return' ? isCompared(value) : compares)) rejected(time, NOT_CONSTANT);
    }
  }
  for (const value of expressionsIn(query)) {
    if (value.kind !== 'binary' || (value.operator !== '+' && value.operator !== '-')) continue;
    const operands = value.operator === '+' ? [value.left, value.right] : [value.left];
    const time = [value.left, value.right].find(
      (operand) => isTimeCall(operand) && operand.name.toUpperCase() === 'DURATION',
    );
    const isText = operands.some(
      (operand) => operand.kind === 'property' && storedForms(schema, operand.name.text).size > 0,
    );
    if (time !== undefined && isText) {
      rejected(time, 'A duration added to text is text: write date(…) + duration(…).');
    }
  }
};

/** The calls whose value is a time: a component of a time is a number. */
const timesIn = (part: object): readonly Call[] => {
  const components = new Set<Expression>();
  const times: Call[] = [];
  for (const value of expressionsIn(part)) {
    if (value.kind === 'property' && COMPONENT.test(value.name.text)) components.add(value.of);
    if (isTimeCall(value) && !components.has(value)) times.push(value);
  }
  return times;
};

/** Whether a part of a query contains a comparison, IN, CASE x WHEN or the properties of a pattern. */
const isCompared = (part: object): boolean =>
  [...expressionsIn(part)].some(
    (value) =>
      value.kind === 'comparison' ||
      (value.kind === 'case' && value.subject !== null) ||
      (value.kind === 'binary' && value.operator === 'IN'),
  ) || hasProperties(part);

const hasProperties = (part: object): boolean =>
  [...partsOf(part)].some((inner) => 'properties' in inner && inner.properties !== null);

const rejected = ({ start }: Expression, reason: string): never => {
  throw new QueryFault(`${reason} ${FORMS}`, start);
};

const NOT_CONSTANT =
  "Only date('…') and localdatetime('…') with a constant, directly next to a comparison, can be compared with text.";

const FORMS =
  "FalkorDB instances keep dates and times as text: compare with '1998-01-31' for a DATE, and with " +
  "'1998-01-31T10:00:00.000Z' for a TIMESTAMP, or six digits where the column has them.";
