import { type Frame, hasSubquery, listOfRows, NeedsRows } from './frame';
import { NULL, simple, type Type, type Value } from './type';

/** The value for an item of a list; `condition`: which items have one, omitted for all. */
type BodyOf = (item: Value, inside: Frame) => Value & { readonly condition?: string };
type ListValue = Value & { readonly type: ListType };
type ListType = Extract<Type, { readonly kind: 'list' }>;

/**
 * The list of the values for each item of a list, by a lambda; by a subquery where a lambda does not suffice. Null for
 * a null list.
 */
export const mappedList = (list: Value, frame: Frame, bodyOf: BodyOf): ListValue => {
  try {
    return byLambda(list, frame, bodyOf);
  } catch (error) {
    if (!(error instanceof NeedsRows) || frame.isLambda) throw error;
    return bySubquery(list, frame, bodyOf);
  }
};

export const itemType = ({ type }: Value): Type => (type.kind === 'list' ? type.item : NULL.type);

const byLambda = (list: Value, frame: Frame, bodyOf: BodyOf): ListValue => {
  const name = frame.context.name('x');
  const { sql, type, condition } = bodyOf(simple(itemType(list), name), frame.lambda(new Map()));
  const kept = condition === undefined ? list.sql : `list_filter(${list.sql}, lambda ${name}: ${condition})`;
  const mapped = sql === name ? kept : `list_transform(${kept}, lambda ${name}: ${sql})`;
  return { sql: frame.local(mapped), type: { kind: 'list', item: type } };
};

const bySubquery = (list: Value, frame: Frame, bodyOf: BodyOf): ListValue => {
  const { sql: whole } = frame.column(list);
  const alias = frame.context.name('u');
  const inside = frame.subquery();
  inside.join('CROSS JOIN', `unnest(${whole}) WITH ORDINALITY`, alias, null, '(x, o)');
  const { sql, type, condition } = bodyOf(simple(itemType(list), `${alias}.x`), inside);
  if (condition !== undefined) inside.filter(condition);
  inside.order = [{ sql: `${alias}.o`, descending: false }];
  const items = listOfRows(inside, sql);
  return { sql: `CASE WHEN ${whole} IS NOT NULL THEN ${items} END`, type: { kind: 'list', item: type } };
};

/** SQL that uses a value several times. */
export const usedOnce = (value: Value, frame: Frame, write: (value: Value) => string): string => {
  if (value.isSimple === true) return write(value);
  const name = frame.context.name('x');
  const body = write(simple(value.type, name));
  if (hasSubquery({ sql: body })) return ofColumns([value], frame, write);
  return frame.local(`list_transform([${value.sql}], lambda ${name}: ${body})[1]`);
};

/** In a subquery, because the body of a lambda cannot have one. */
const ofColumns = (values: readonly Value[], frame: Frame, write: (...values: Value[]) => string): string => {
  const inside = frame.subquery();
  const sql = write(...values.map((value) => inside.column(value)));
  return `(SELECT ${inside.local(sql)}${inside.source})`;
};

/** SQL that uses several values several times; in one lambda, because its body cannot have subqueries. */
export const eachUsedOnce = (values: readonly Value[], frame: Frame, write: (...values: Value[]) => string): string => {
  const several = values.filter(({ isSimple }) => isSimple !== true);
  const [only, ...others] = several;
  if (only === undefined) return write(...values);
  if (others.length === 0)
    return usedOnce(only, frame, (one) => write(...values.map((value) => (value === only ? one : value))));
  const name = frame.context.name('x');
  const fields = several.map(({ sql }, at) => `'f${at}': ${sql}`).join(', ');
  const read = values.map((value) =>
    value.isSimple === true ? value : simple(value.type, `${name}['f${several.indexOf(value)}']`),
  );
  const body = write(...read);
  if (hasSubquery({ sql: body })) return ofColumns(values, frame, write);
  return frame.local(`list_transform([{${fields}}], lambda ${name}: ${body})[1]`);
};
