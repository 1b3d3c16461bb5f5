import { type Frame, listOfRows, NeedsRows } from './frame';
import { listOf, type Type, type Value } from './type';

/** The value and the condition for an item of a list. */
export interface ItemBody {
  readonly value: Value;
  /** Null: all items. */
  readonly condition: string | null;
}

/**
 * The list of the values for each item of a list, by a lambda; by a subquery where a lambda does not suffice. Null for
 * a null list.
 */
export const mappedList = (
  list: Value,
  frame: Frame,
  bodyOf: (item: Value, inside: Frame) => ItemBody,
): Value & { readonly type: Extract<Type, { readonly kind: 'list' }> } => {
  try {
    return byLambda(list, frame, bodyOf);
  } catch (error) {
    if (!(error instanceof NeedsRows) || frame.isLambda) throw error;
    return bySubquery(list, frame, bodyOf);
  }
};

export const itemType = ({ type }: Value): Type => (type.kind === 'list' ? type.item : { kind: 'null' });

const byLambda = (list: Value, frame: Frame, bodyOf: (item: Value, inside: Frame) => ItemBody) => {
  const name = frame.context.name('x');
  const inside = frame.lambda(new Map());
  const { value, condition } = bodyOf({ sql: name, type: itemType(list), isSimple: true }, inside);
  const kept = condition === null ? list.sql : `list_filter(${list.sql}, lambda ${name}: ${condition})`;
  const sql = value.sql === name ? kept : `list_transform(${kept}, lambda ${name}: ${value.sql})`;
  return { sql: frame.local(sql), type: listOf(value.type) as Extract<Type, { kind: 'list' }> };
};

const bySubquery = (list: Value, frame: Frame, bodyOf: (item: Value, inside: Frame) => ItemBody) => {
  const { sql: whole } = frame.column(list);
  const alias = frame.context.name('u');
  const inside = frame.subquery();
  inside.join('CROSS JOIN', `unnest(${whole}) WITH ORDINALITY AS ${alias}(x, o)`);
  const { value, condition } = bodyOf({ sql: `${alias}.x`, type: itemType(list), isSimple: true }, inside);
  if (condition !== null) inside.filter(condition);
  inside.order = [{ sql: `${alias}.o`, descending: false }];
  const items = listOfRows(inside, value.sql);
  return {
    sql: `CASE WHEN ${whole} IS NOT NULL THEN ${items} END`,
    type: listOf(value.type) as Extract<Type, { kind: 'list' }>,
  };
};

/** SQL that uses a value several times. */
export const usedOnce = (value: Value, frame: Frame, write: (value: Value) => string): string => {
  if (value.isSimple === true) return write(value);
  const name = frame.context.name('x');
  const body = write({ sql: name, type: value.type, isSimple: true });
  return frame.local(`list_transform([${value.sql}], lambda ${name}: ${body})[1]`);
};
