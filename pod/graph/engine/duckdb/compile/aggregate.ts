import { type Call } from '../../cypher/tree';
import { asFloat, orderOfMembers, refuseValues } from './any-value';
import { type Frame } from './frame';
import { orError } from './literal';
import { FLOAT, INTEGER, isNumeric, isZoned, listOf, NO_ZONES, sqlTypeName, typed, type Value } from './type';

export const compileAggregate = (call: Call, frame: Frame): Value => {
  const name = call.name.toUpperCase();
  const [argument, second] = call.arguments;
  if (argument === undefined || argument.kind === 'star') return typed(INTEGER, 'count(*)');
  const value = frame.expression(argument);
  const { sql, type } = value;
  if (isZoned(type) && (call.distinct || /^M/.test(name))) frame.context.refuse(NO_ZONES, call);
  const distinct = call.distinct ? 'DISTINCT ' : '';
  switch (name) {
    case 'COUNT':
      return typed(INTEGER, `count(${distinct}${sql})`);
    case 'COLLECT': {
      const isOrdered = frame.orderBy !== '';
      const items = `list(${isOrdered ? '' : distinct}${sql}${frame.orderBy}) FILTER (WHERE ${sql} IS NOT NULL)`;
      const all = `coalesce(${items}, CAST([] AS ${sqlTypeName(listOf(type))}))`;
      return typed(listOf(type), call.distinct && isOrdered ? firstOfEach(all, frame) : all);
    }
    case 'SUM':
      if (type.kind === 'null') return typed(INTEGER, `count(${sql})`);
      if (type.kind === 'integer') return typed(INTEGER, `CAST(coalesce(sum(${distinct}${sql}), 0) AS BIGINT)`);
      if (type.kind !== 'float') break;
      return typed(
        type.isMixed === true ? { kind: 'float', isMixed: true } : FLOAT,
        `coalesce(sum(${distinct}${sql}), 0)`,
      );
    case 'AVG': {
      const float = type.kind === 'null' ? typed(FLOAT, `CAST(${sql} AS DOUBLE)`) : asFloat(value);
      if (float === null) break;
      return typed(FLOAT, `avg(${distinct}${float.sql})`);
    }
    case 'MIN':
    case 'MAX':
      return extreme(name, value) ?? refuseValues(call, [value], frame);
    case 'STDEV':
    case 'STDEVP': {
      if (!isNumeric(type) && type.kind !== 'null') break;
      const x = `CAST(${sql} AS DOUBLE)`;
      const deviation = `${name === 'STDEV' ? 'stddev_samp' : 'stddev_pop'}(${distinct}${x})`;
      // DuckDB fails for values that are not finite.
      const isNotFinite = `count(${distinct}${x}) > 1 AND NOT bool_and(isfinite(${x}))`;
      const finite = `coalesce(${deviation} FILTER (WHERE isfinite(${x})), 0)`;
      return typed(FLOAT, `CASE WHEN ${isNotFinite} THEN CAST('NaN' AS DOUBLE) ELSE ${finite} END`);
    }
    case 'PERCENTILECONT':
    case 'PERCENTILEDISC': {
      if (second === undefined || !isNumeric(type)) break;
      const share = frame.expression(second);
      if (!isNumeric(share.type)) break;
      return percentile(name, value, `any_value(CAST(${share.sql} AS DOUBLE))`, distinct, frame);
    }
  }
  return refuseValues(call, [value], frame);
};

/** The first of equal items of a list, in its order: DISTINCT within an aggregate has none. */
const firstOfEach = (list: string, frame: Frame): string => {
  const [x, i] = [frame.context.name('x'), frame.context.name('x')];
  const sorted = `list_sort(list_transform(${list}, lambda ${x}, ${i}: {'x': ${x}, 'i': ${i}}))`;
  const first = `list_filter(${x}, lambda y, ${i}: ${i} = 1 OR ${x}[${i} - 1].x IS DISTINCT FROM y.x)`;
  const pairs = `list_transform([${sorted}], lambda ${x}: ${first})[1]`;
  return frame.local(
    `list_transform(list_sort(list_transform(${pairs}, lambda ${x}: {'i': ${x}.i, 'x': ${x}.x})), lambda ${x}: ${x}.x)`,
  );
};

/** The least or the greatest value; null if values of the type have no order. */
const extreme = (name: 'MIN' | 'MAX', value: Value): Value | null => {
  const { sql, type } = value;
  const word = name.toLowerCase();
  if (/^(null|integer|float|text|boolean|date|timestamp|uuid)$/.test(type.kind)) return typed(type, `${word}(${sql})`);
  const order = type.kind === 'any' ? orderOfMembers(value) : null;
  return order === null ? null : { sql: `arg_${word}(${sql}, row(${order.join(', ')}))`, type };
};

/** From a sorted list, because DuckDB's functions need a constant share. */
const percentile = (name: string, { sql, type }: Value, share: string, distinct: string, frame: Frame): Value => {
  const l = frame.context.name('x');
  const sorted = `list_sort(list(${distinct}${sql}) FILTER (WHERE ${sql} IS NOT NULL))`;
  const checked = orError(`${share} NOT BETWEEN 0 AND 1`, 'A share must be from 0.0 to 1.0.', share);
  const write = (body: string): string =>
    frame.local(`list_transform([{'l': ${sorted}, 'p': ${checked}}], lambda ${l}: ${body})[1]`);
  if (name === 'PERCENTILEDISC')
    return { sql: write(`${l}.l[CAST(greatest(ceil(${l}.p * len(${l}.l)), 1) AS BIGINT)]`), type };
  const place = `${l}.p * (len(${l}.l) - 1)`;
  const low = `CAST(${l}.l[CAST(floor(${place}) AS BIGINT) + 1] AS DOUBLE)`;
  const high = `CAST(${l}.l[CAST(ceil(${place}) AS BIGINT) + 1] AS DOUBLE)`;
  return { sql: write(`${low} + (${high} - ${low}) * (${place} - floor(${place}))`), type: FLOAT };
};
