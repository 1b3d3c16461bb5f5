import { QueryFault } from '../../cypher/query-fault';
import { type Quirk } from '../../cypher/quirk';
import { type Call, type Case, type Expression } from '../../cypher/tree';
import { type ValueType } from '../../cypher/value-type';
import { type TypeOf, typesWithParameters } from '../../cypher/value-types';
import { changeExpressions, expressionsIn } from '../../cypher/walk';

/** Types that are known only when the query runs are not compared. */
export const mixedTypes: Quirk = {
  id: 'kuzu-mixed-types',
  description: 'The values of a CASE or coalesce get one type: numbers lose fractions or become strings.',
  shown: {
    graph: 'CREATE (:N {id: 1, size: 2}), (:N {id: 2, size: 3})',
    query: 'MATCH (n:N) RETURN n.id, CASE WHEN n.id = 1 THEN n.size ELSE 1.5 END ORDER BY n.id',
    right: [
      [1, 2],
      [2, 1.5],
    ],
    wrong: [
      [1, 2],
      [2, 2],
    ],
  },
  rewrite: (query, context) => {
    if (![...expressionsIn(query)].some(isChoice)) return query;
    const typeOf = typesWithParameters(query, context);
    return changeExpressions(query, (value) => {
      if (value.kind === 'case') {
        const { branches, otherwise } = value;
        const [last, ...values] = ofOneType([otherwise, ...branches.map(({ then }) => then)], value, typeOf);
        const changed = branches.map((branch, at) => ({ ...branch, then: values[at] ?? branch.then }));
        return { ...value, branches: changed, otherwise: last ?? null };
      }
      return isChoice(value) ? { ...value, arguments: ofOneType(value.arguments, value, typeOf) } : value;
    });
  },
};

const isChoice = (value: Expression): value is Case | Call =>
  value.kind === 'case' || (value.kind === 'call' && /^coalesce$/i.test(value.name));

/** A literal is written as a float beside floats, or as an integer beside integers if it has no fraction. */
const ofOneType = <Part extends Expression | null>(
  values: readonly Part[],
  { start }: Expression,
  typeOf: TypeOf,
): readonly Part[] => {
  const typesOf = (parts: readonly Part[]): readonly string[] => {
    const names = [...new Set(parts.flatMap((part) => (part === null ? [] : (nameOf(typeOf(part)) ?? []))))];
    return names.filter((name) => name !== ANY_LIST || !names.some((other) => other.startsWith(`${ANY_LIST} of`)));
  };
  const types = typesOf(values);
  if (types.length < 2) return values;
  const ways = [FLOAT, INTEGER].map((way) => values.map((value) => (value === null ? value : rewritten(value, way))));
  const equal = ways.find((changed) => typesOf(changed).length === 1);
  if (equal !== undefined) return equal;
  const found = types.join(' and ');
  throw new QueryFault(`These values have several types, ${found}: convert them, for example by toFloat(…).`, start);
};

/** Up to 15 digits a float is exact. */
const FLOAT: readonly [RegExp, string] = [/^(\d{1,15})$/, '$1.0'];
const INTEGER: readonly [RegExp, string] = [/^(\d{1,15})\.0*$/, '$1'];

const rewritten = <Part extends Expression>(value: Part, way: readonly [RegExp, string]): Part => {
  if (value.kind === 'number') return { ...value, text: value.text.replace(...way) };
  return value.kind === 'unary' ? { ...value, of: rewritten(value.of, way) } : value;
};

/** Its items have no type, or an unknown one: it fits all lists. */
const ANY_LIST = 'list';

/** Null for a type that fits all others. */
const nameOf = (type: ValueType): string | null => {
  if (type.kind === 'unknown' || type.kind === 'null') return null;
  if (type.kind === 'other') return type.name.toLowerCase();
  if (type.kind !== 'list') return type.kind;
  const item = nameOf(type.item);
  return item === null ? ANY_LIST : `${ANY_LIST} of ${item}`;
};
