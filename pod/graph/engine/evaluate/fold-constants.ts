import { type AnalysedQuery } from '../cypher/analyse-query';
import { freshNames } from '../cypher/build';
import { valueTypes } from '../cypher/scopes';
import { shape } from '../cypher/shape';
import { type Expression, type Parameter, type Query } from '../cypher/tree';
import { changeExpressions, isExpression, localNames, replaceOutermost } from '../cypher/walk';
import { EMPTY_SCHEMA } from '../graph-schema';
import { valueOf } from './context';
import { contextOf } from './evaluate-clauses';
import { EvaluationFault } from './evaluation-fault';
import { functions } from './functions';
import { parameterValue } from './row-values';
import { Duration } from './temporal/duration';
import { Moment } from './temporal/moment';
import { TEMPORAL_FUNCTIONS } from './temporal/temporal-functions';
import { isList, isMap, type Value } from './values';

/** A query with parameters in place of expressions that do not depend on the graph. */
interface FoldedQuery {
  /** The same object for all values of the query's parameters from which the same expressions can be computed. */
  readonly query: Query;
  /** The names of the added parameters. */
  readonly names: readonly string[];
  /** With the values of the added ones. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** The limit for all constants of a query together; those that need more remain expressions. */
const MAX_STEPS = 10_000;

/**
 * Computes each expression without names of variables and without chance, as openCypher does, before the engine gets the
 * query. It remains an expression if it has no value, or one that a parameter cannot hold.
 */
export const foldConstants = (analysed: AnalysedQuery, parameters: FoldedQuery['parameters']): FoldedQuery => {
  const { text, query, parameters: sent } = analysed;
  const constants = constantsOf(analysed);
  const isPossible = constants.values.size > 0 && sent.every((name) => Object.hasOwn(parameters, name));
  const known = isPossible
    ? computed(() => new Map(sent.map((name) => [name, parameterValue(parameters[name])] as const)))
    : undefined;
  if (known === undefined) return { query, names: [], parameters };
  const context = contextOf(text, known, MAX_STEPS);
  const expressions = new Map<string, Expression>();
  const values: Record<string, unknown> = {};
  for (const [name, constant] of constants.values) {
    const value = computed(() => valueOf(constant, new Map(), context));
    const parameter = value === undefined ? undefined : parameterOf(value);
    if (parameter === undefined) expressions.set(name, constant);
    else values[name] = parameter;
  }
  return { query: constants.with(expressions), names: Object.keys(values), parameters: { ...parameters, ...values } };
};

/** Undefined if openCypher or the evaluator has no value. */
const computed = <A>(compute: () => A): A | undefined => {
  try {
    return compute();
  } catch (error) {
    if (!(error instanceof EvaluationFault)) throw error;
    return undefined;
  }
};

interface Constants {
  /** The constants by the names of the parameters that replace them. */
  readonly values: ReadonlyMap<string, Expression>;
  /** The query with parameters, but expressions in place of some of them. */
  readonly with: (expressions: ReadonlyMap<string, Expression>) => Query;
}

const remembered = new WeakMap<Query, Constants>();

const constantsOf = ({ text, query }: AnalysedQuery): Constants => {
  const before = remembered.get(query);
  if (before !== undefined) return before;
  const newName = freshNames(text, '_c');
  const typeOf = valueTypes(query, EMPTY_SCHEMA);
  const named = new Map<string, Parameter>();
  const values = new Map<string, Expression>();
  const folded = replaceOutermost(query, (value) => {
    if (isPlain(value) || !isConstant(value, [])) return null;
    const { start, end } = value;
    const parameter = named.get(shape(value)) ?? {
      kind: 'parameter',
      name: newName(),
      type: typeOf(value),
      start,
      end,
    };
    named.set(shape(value), parameter);
    values.set(parameter.name, value);
    return { ...parameter, start, end };
  });
  let last = { key: '', query: folded };
  const constants: Constants = {
    values,
    with: (expressions) => {
      const key = [...expressions].map(([name, value]) => name + shape(value)).join();
      if (last.key !== key) last = { key, query: withExpressions(folded, expressions) };
      return last.query;
    },
  };
  remembered.set(query, constants);
  return constants;
};

/** A query with expressions in place of parameters, by their names. */
const withExpressions = (query: Query, expressions: ReadonlyMap<string, Expression>): Query =>
  changeExpressions(query, (value) => (value.kind === 'parameter' ? (expressions.get(value.name) ?? value) : value));

/** Whether there is nothing to compute; the parts of lists and maps are constants of their own. */
const isPlain = (value: Expression): boolean =>
  /^(literal|number|parameter|list|map)$/.test(value.kind) || (value.kind === 'unary' && value.of.kind === 'number');

const COMPUTABLE =
  /^(literal|number|parameter|list|map|property|index|slice|unary|binary|comparison|null_test|case|comprehension|quantifier|reduction)$/;

/** `locals`: the names that the surrounding expressions introduce. Ends at the first part that is not constant. */
const isConstant = (part: unknown, locals: readonly string[]): boolean => {
  if (typeof part !== 'object' || part === null) return true;
  if (isExpression(part) && !isComputable(part, locals)) return false;
  const inside = isExpression(part) ? [...locals, ...localNames(part)] : locals;
  return Object.values(part).every((inner) => isConstant(inner, inside));
};

/** A regular expression may take any time. */
const isComputable = (value: Expression, locals: readonly string[]): boolean => {
  if (value.kind === 'variable') return locals.includes(value.name);
  if (value.kind === 'binary') return value.operator !== '=~';
  const name = value.kind === 'call' ? value.name.toUpperCase() : '';
  return value.kind === 'call'
    ? name !== 'RAND' && (Object.hasOwn(functions, name) || TEMPORAL_FUNCTIONS.has(name))
    : COMPUTABLE.test(value.kind);
};

/** The value as a parameter; undefined if a parameter cannot hold it, as a time in a list. */
const parameterOf = (value: Value, isWhole = true): unknown => {
  if (value === null || typeof value === 'boolean' || typeof value === 'string' || typeof value === 'bigint')
    return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (value instanceof Moment || value instanceof Duration) return isWhole ? value : undefined;
  const isMissing = (items: readonly unknown[]): boolean => items.includes(undefined);
  if (isList(value)) {
    const items = value.map((item) => parameterOf(item, false));
    return isMissing(items) ? undefined : items;
  }
  if (!isMap(value)) return undefined;
  const entries = [...value].map(([key, item]) => [key, parameterOf(item, false)] as const);
  return isMissing(entries.map(([, item]) => item)) ? undefined : Object.fromEntries(entries);
};
