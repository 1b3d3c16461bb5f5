import { QueryFault } from '../../cypher/query-fault';
import { type Quirk, type QuirkContext } from '../../cypher/quirk';
import { type Call, type Comparison, type Expression, type Query } from '../../cypher/tree';
import { changeExpressions, clausesIn, expressionsIn, partsOf } from '../../cypher/walk';
import { type GraphSchema } from '../../graph-schema';
import { readMoment, storedForm, storedText, type Moment, type StoredForm } from '../stored-moment';

/**
 * The graph stores dates and times as text, and the server finds nothing when it compares text with its own times. So
 * `date('…')` and `localdatetime('…')` with a constant, as an operand of a comparison, become text in the form of the
 * property on the other side. Other calls that may meet a comparison are rejected.
 */
export const storedTimes: Quirk = {
  id: 'falkordb-stored-times',
  description: 'Dates and times are stored as text, which equals no date or time of the engine.',
  shown: {
    graph: "CREATE (:N {day: '2000-01-01'})",
    query: "MATCH (n:N) WHERE n.day = date('2000-01-01') RETURN count(*)",
    right: [[1]],
    wrong: [[0]],
  },
  rewrite: (query, context) => {
    if (![...expressionsIn(query)].some(isTimeCall)) return query;
    const written = changeExpressions(query, (value) =>
      value.kind === 'comparison' ? compared(value, context) : value,
    );
    rejectOthers(written, query, context.schema);
    return written;
  },
};

const TIME_FUNCTIONS = new Set(['DATE', 'LOCALDATETIME', 'LOCALTIME', 'DURATION']);
const COMPONENT = /^(year|quarter|month|week|dayOfWeek|dayOfQuarter|ordinalDay|day|hour|minute|second|millisecond)s?$/i;

const isTimeCall = (value: Expression): value is Call =>
  value.kind === 'call' && TIME_FUNCTIONS.has(value.name.toUpperCase());

const compared = (value: Comparison, context: QuirkContext): Expression => {
  const { first, rest } = value;
  if (![first, ...rest.map(({ right }) => right)].some(isTimeCall)) return value;
  const [only, more] = rest;
  if (only === undefined || more !== undefined) return rejected(value, NOT_CONSTANT);
  return {
    ...value,
    first: asText(first, only.right, context),
    rest: [{ ...only, right: asText(only.right, first, context) }],
  };
};

/** A time as text in the form of what it is compared with; any other expression as it is. */
const asText = (value: Expression, other: Expression, context: QuirkContext): Expression => {
  if (!isTimeCall(value)) return value;
  const moment = momentOf(value, context);
  const forms = formsOf(other, context);
  if (moment === undefined || forms === null) return rejected(value, NOT_CONSTANT);
  // A comparison with null is null.
  if (moment === NULL) return { kind: 'literal', value: null, start: value.start, end: value.end };
  if (moment === null) return rejected(value, 'Not a valid date or time.');
  const [form = value.name.toUpperCase() === 'DATE' ? 'DATE' : null, ...others] = [...forms];
  if (form === null || others.length > 0) {
    return rejected(value, 'What this is compared with may be a DATE or a TIMESTAMP.');
  }
  return { kind: 'literal', value: storedText(moment, form), start: value.start, end: value.end };
};

const NULL = Symbol('null');

/** What a call makes in every row; undefined when that depends on the row, null when it is not a date or time. */
const momentOf = (
  { name, arguments: [value, more] }: Call,
  context: QuirkContext,
): Moment | typeof NULL | null | undefined => {
  const upper = name.toUpperCase();
  if ((upper !== 'DATE' && upper !== 'LOCALDATETIME') || more !== undefined) return undefined;
  const hasTime = upper === 'LOCALDATETIME';
  const constant =
    value === undefined ? context.now.toISOString().slice(0, hasTime ? 19 : 10) : constantOf(value, context);
  if (constant === undefined) return undefined;
  if (constant === null) return NULL;
  return typeof constant === 'string' ? readMoment(constant, hasTime) : null;
};

/** The value of a literal or a parameter; undefined for anything else. */
const constantOf = (value: Expression, context: QuirkContext): unknown => {
  if (value.kind === 'parameter') return context.parameters[value.name];
  if (value.kind === 'number') return Number(value.text);
  return value.kind === 'literal' ? value.value : undefined;
};

/** The forms of the properties that an operand may be; null for an operand that is computed. */
const formsOf = (operand: Expression, context: QuirkContext): ReadonlySet<StoredForm> | null => {
  if (isTimeCall(operand)) return momentOf(operand, context) === undefined ? null : new Set(['MICROSECONDS']);
  if (operand.kind === 'property' && operand.of.kind === 'variable')
    return storedForms(context.schema, operand.name.text);
  return operand.kind === 'variable' || operand.kind === 'parameter' ? storedForms(context.schema) : null;
};

/** The forms of the properties of a name, or of all properties. */
const storedForms = ({ nodeTables, edgeTables }: GraphSchema, name?: string): ReadonlySet<StoredForm> => {
  const properties = [
    ...nodeTables.flatMap((table) => [table.primaryKey, ...table.properties]),
    ...edgeTables.flatMap((table) => table.properties),
  ].filter((property) => name === undefined || property.name === name);
  return new Set(properties.map(storedForm).filter((form) => form !== null));
};

/** Rejects times that are left where they may meet a comparison with text, or are added to text. */
const rejectOthers = (query: Query, before: Query, schema: GraphSchema): void => {
  const compares = isCompared(before);
  for (const clause of clausesIn(query)) {
    const values = clause.kind === 'return' ? clause.items.map(({ value }) => value) : [clause];
    for (const value of values) {
      const [time] = timesIn(value);
      // A value of RETURN meets no comparison but those of its own item; any other may meet all.
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

/** The calls whose value is a time: a component of one is a number. */
const timesIn = (part: object): readonly Call[] => {
  const components = new Set<Expression>();
  const times: Call[] = [];
  for (const value of expressionsIn(part)) {
    if (value.kind === 'property' && COMPONENT.test(value.name.text)) components.add(value.of);
    if (isTimeCall(value) && !components.has(value) && !isNull(value)) times.push(value);
  }
  return times;
};

const isNull = ({ arguments: [value] }: Call): boolean => value?.kind === 'literal' && value.value === null;

/** Whether a comparison, IN, CASE x WHEN or the properties of a pattern are in a part of a query. */
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
