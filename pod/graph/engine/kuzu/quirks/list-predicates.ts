import { operandsOf } from '../../cypher/aggregates';
import { and, call, conditionsOf, literal, variable } from '../../cypher/build';
import { QueryFault } from '../../cypher/query-fault';
import { type Quirk } from '../../cypher/quirk';
import { shape } from '../../cypher/shape';
import { make, template } from '../../cypher/template';
import {
  type Call,
  type Expression,
  type Lambda,
  type PropertyAccess,
  type Quantifier,
  type Variable,
} from '../../cypher/tree';
import { type ValueType } from '../../cypher/value-type';
import { valueTypes } from '../../cypher/value-types';
import { changeExpressions, clausesIn, expressionsIn, outerNamesIn, replaceOutermost } from '../../cypher/walk';

export const listPredicates: Quirk = {
  id: 'kuzu-list-predicates',
  description: 'any, all, none and single do not return null for unknown results, and crash the engine on long lists.',
  shown: {
    graph: 'CREATE (:N {id: 1, size: 2}), (:N {id: 2})',
    query: 'MATCH (n:N) WITH n.id AS id, n.size AS size ORDER BY id LIMIT 2 RETURN any(x IN [1, 2] WHERE x = size)',
    right: [[true], [null]],
    wrong: [[true], [true]],
  },
  rewrite: (query, { schema }) => {
    const typeOf = valueTypes(query, schema);
    return changeExpressions(query, (value, original) => {
      if (value.kind !== 'quantifier' || original.kind !== 'quantifier') return value;
      const type = typeOf(original.list);
      const hasEntities = type.kind === 'list' && /^(node|relationship)$/.test(type.item.kind);
      if (hasEntities && !isOfPath(value.list)) throw new QueryFault(ENTITIES, value.start);
      return written(value);
    });
  },
};

/** For such a query the pod computes the condition. */
export const listsInConditions: Quirk = {
  id: 'kuzu-lists-in-conditions',
  description: 'A condition on two lists, one of which uses values of several nodes, is correct for some rows only.',
  shown: {
    graph:
      'CREATE (p:P {id: 1, z: 0})<-[:E]-(:Q {id: 1, age: 0}), (p)<-[:E]-(:Q {id: 2, age: -1}), (:P {id: 2, z: 3})<-[:E]-(:Q {id: 3, age: 0})',
    query:
      'MATCH (p:P)<-[:E]-(q:Q) WHERE NOT list_contains(list_transform(CASE WHEN q.age IS NOT NULL THEN [0, p.z] END, x -> x = q.age), true) OR NOT list_contains(list_transform(CASE WHEN p.z IS NOT NULL THEN [1, 0] END, x -> x = p.z), true) RETURN q.id',
    right: [[2], [3]],
    wrong: [[3]],
  },
  rewrite: (query) => {
    for (const clause of clausesIn(query)) {
      const items = clause.kind === 'with' || clause.kind === 'return' ? clause.items.map(({ value }) => value) : [];
      const where = clause.kind === 'match' || clause.kind === 'with' ? conditionsOf(clause.where) : [];
      for (const value of [...items, ...where]) {
        const lists = [...expressionsIn(value)].filter((part) => part.kind === 'quantifier' || isListFunction(part));
        const names = lists.map((part) => [...outerNamesIn(part)].sort().join());
        if (new Set(names.filter((name) => name !== '')).size > 1) throw new QueryFault(LISTS, value.start);
      }
    }
    return query;
  },
};

const LISTS =
  'A condition on several lists is possible for a few thousand rows on this kind of instance: name each of them by WITH before.';

/** Two expressions on the properties of one list change each other, except for lists of a path. */
const isOfPath = (list: Expression): boolean => list.kind === 'call' && /^(nodes|relationships)$/i.test(list.name);

const ENTITIES =
  'A condition on a list of nodes or relationships is possible for a few thousand rows on this kind of instance: name the path, and write nodes(p) or relationships(p).';

/** `list_contains` reads a null as the previous value in memory, so elements must not be null. */
const has = (test: string): string => `list_contains(list_transform(list, x -> ${test}), true)`;
const OR_NULL = `OR ${has('test IS NULL')} AND CAST(null AS BOOL)`;

/** Without CASE within a lambda: for the lists of several rows the engine computes only the first one. */
const TEMPLATES = {
  ANY: template(`${has('test AND test IS NOT NULL')} ${OR_NULL}`),
  NONE: template(`NOT (${has('test AND test IS NOT NULL')} ${OR_NULL})`),
  ALL: template(`NOT (${has('NOT test AND test IS NOT NULL')} ${OR_NULL})`),
};

const SINGLE =
  'single is possible for a few thousand rows on this kind of instance: UNWIND the list, and count its elements.';

const written = (value: Quantifier): Expression => {
  const { which, list, where } = value;
  if (list.kind === 'literal' && list.value === null) return list;
  if (list.kind === 'list' && list.items.length === 0) return literal(which === 'ALL' || which === 'NONE', value);
  if (which === 'SINGLE') throw new QueryFault(SINGLE, value.start);
  const x = variable(value.name.text, value);
  // Two list functions of the same variable change each other's results.
  const known = list.kind === 'property' || list.kind === 'variable' ? make('coalesce(_1, [])', list, list) : list;
  const test = where ?? x;
  const isBare = test.kind === 'property' || test.kind === 'variable';
  const made = TEMPLATES[which]({ list: known, x, test: isBare ? make('_1 = true', test, test) : test }, value);
  // Functions of a null list may return anything, even values of the lists of other rows.
  return list.kind === 'list' ? made : make('CASE WHEN _1 IS NOT NULL THEN _2 END', value, list, made);
};

/** The next quirk rejects it. */
export const chainedLambdas: Quirk = {
  id: 'kuzu-chained-lambdas',
  description:
    "A list function of another list function's result that uses a value of the row returns elements of other rows.",
  shown: {
    graph: 'CREATE (:N {id: 1, size: 1}), (:N {id: 2, size: 2}), (:N {id: 3, size: 3}), (:N {id: 4})',
    query: 'MATCH (n:N) RETURN n.id, list_transform(list_filter([n.size, 2, n.id], x -> x > n.size), y -> y + 1)',
    right: [
      [1, [3]],
      [2, []],
      [3, []],
      [4, []],
    ],
    wrong: [
      [1, []],
      [2, [3, 3]],
      [3, [4, 3, 4]],
      [4, [3, 5]],
    ],
  },
};

/** A list that depends on the values is computed next to them. */
export const valuesInLambdas: Quirk = {
  id: 'kuzu-values-in-lambdas',
  description: 'A lambda of a list function cannot use outer variables.',
  shown: {
    graph: 'CREATE (:N {id: 1, size: 2})-[:E]->(:N {id: 2, size: 3})',
    query: 'MATCH (n:N)-[:E]->(m:N) RETURN list_transform([1, 2], x -> x + m.size), n.id',
    right: [[[4, 5], 1]],
    wrong: 'error',
  },
  rewrite: (query, { schema }) => {
    const typeOf = valueTypes(query, schema);
    return changeExpressions(query, (value, original) => {
      const [list] = original.kind === 'call' ? original.arguments : [];
      return value.kind === 'call' && list !== undefined ? besideValues(value, typeOf(list)) : value;
    });
  },
};

/** Cured together with the values. */
export const filteredLists: Quirk = {
  id: 'kuzu-filtered-lists',
  description:
    'In a query of some thousand rows with a condition, list_filter loses elements if the list of another row is null.',
  shown: {
    query:
      'UNWIND range(1, 9000) AS i WITH i, CASE WHEN i % 11 > 0 THEN [i % 10, i % 3] END AS l WHERE i % 3 = 0 RETURN sum(size(list_filter(l, x -> x > 2)))',
    right: [[1909]],
    wrong: [[1821]],
  },
};

/** Cured together with the values: lists of their properties are correct. */
export const elementsWithFields: Quirk = {
  id: 'kuzu-elements-with-fields',
  description: 'In a query of some thousand rows, a lambda reads the fields of other elements.',
  shown: {
    query:
      'UNWIND range(1, 9000) AS i WITH i, [{w: i}] AS l WHERE i % 3 = 0 WITH list_transform(l, x -> x.w) AS f UNWIND f AS y RETURN sum(y)',
    right: [[13504500]],
    wrong: [[11567963]],
  },
};

const isListFunction = (value: Expression): value is Call =>
  value.kind === 'call' && value.arguments[1]?.kind === 'lambda';

const besideValues = (value: Call, type: ValueType): Call => {
  const [first, sent, ...others] = value.arguments;
  if (first === undefined || sent?.kind !== 'lambda') return value;
  const [list, lambda] = ofProperties(first, sent, type);
  const chained = [...expressionsIn(list)].filter(isListFunction).flatMap((inner) => inner.arguments.slice(1));
  if (chained.some((inner) => outerNamesIn(inner).length > 0)) throw new QueryFault(CHAIN, value.start);
  const names = new Set(lambda.names.map(({ text }) => text));
  const nested = [...expressionsIn(lambda.value)].filter((inner) => inner.kind === 'lambda');
  const [inner] = [...expressionsIn(lambda.value)]
    .filter(isListFunction)
    .flatMap(rootsOf)
    .filter((root) => names.has(root.name));
  if (inner !== undefined) throw new QueryFault(NESTED(inner.name), value.start);
  const local = new Set([lambda, ...nested].flatMap((inner) => inner.names.map(({ text }) => text)));
  const outer = new Map(valuesIn(lambda.value).map((found) => [shape(found), found]));
  const condition = and(
    ...[...outer.values()]
      .filter((found) => !rootsOf(found).some(({ name }) => local.has(name)))
      .map((found) => make('(_1 IS NULL) IS NOT NULL', list, found)),
  );
  const isRows = condition !== null || outerNamesIn(list).length > 0;
  const choice = [...expressionsIn(lambda.value)].find(
    (part) =>
      part.kind === 'map' || (isRows && (part.kind === 'case' || (part.kind === 'list' && rootsOf(part).length > 0))),
  );
  if (choice !== undefined) throw new QueryFault(CHOICE, choice.start);
  const isFilter = value.name.toUpperCase() === 'LIST_FILTER';
  if (isFilter && isRows) throw new QueryFault(FILTER, value.start);
  const known = isFilter ? { ...lambda, value: make('_1 AND _1 IS NOT NULL', lambda.value, lambda.value) } : lambda;
  const own = condition === null ? list : make('CASE WHEN _1 THEN _2 END', list, condition, list);
  return { ...value, arguments: [own, known, ...others] };
};

/** For lists of nodes, relationships and maps: a list of the only property that is used. */
const ofProperties = (list: Expression, lambda: Lambda, type: ValueType): readonly [Expression, Lambda] => {
  const [name, ...more] = lambda.names;
  const text = name?.text ?? '';
  const uses = [...expressionsIn(lambda.value)].filter((part) => part.kind === 'variable' && part.name === text);
  const fields = [...expressionsIn(lambda.value)].flatMap((part) => fieldOf(part, text) ?? []);
  const item = type.kind === 'list' && uses.length > 0 ? type.item.kind : 'unknown';
  const [field] = fields;
  if (field === undefined && !/^(node|relationship|map)$/.test(item)) return [list, lambda];
  const isOne = new Set(fields).size === 1 && uses.length === fields.length && more.length === 0;
  if (field === undefined || !isOne || item === 'map') throw new QueryFault(FIELDS, lambda.start);
  const value = replaceOutermost(lambda.value, (part) => (fieldOf(part, text) === null ? null : variable(text, part)));
  return [call('properties', [list, literal(field, list)], list), { ...lambda, value }];
};

/** The property that is read of a name; null for anything else. */
const fieldOf = (part: Expression, text: string): string | null => {
  const [of] = part.kind === 'property' ? [part.of] : part.kind === 'call' ? part.arguments : [];
  if (of?.kind !== 'variable' || of.name !== text) return null;
  if (part.kind === 'property') return part.name.text;
  return part.kind === 'call' && part.name.toUpperCase() === 'ID' ? '_id' : null;
};

const FIELDS =
  'Of the elements of a list, one property is possible on this kind of instance, and not the elements themselves: UNWIND the list first.';

const FILTER =
  'list_filter loses elements of some thousand rows on this kind of instance: UNWIND the list, and write WHERE.';

const CHOICE =
  'CASE, an index, a list, a map, or text + text is not possible on the elements of a list on this kind of instance: UNWIND the list first.';

const CHAIN =
  'A list that is made of another one is not possible here on this kind of instance: name the inner list by WITH before.';

const NESTED = (name: string): string =>
  `A condition on the elements of a list cannot use ${name}, an element of the list around it, on this kind of instance: UNWIND the outer list first.`;

/** The properties and names in an expression. */
const valuesIn = (value: Expression): readonly (Variable | PropertyAccess)[] =>
  value.kind === 'variable' || (value.kind === 'property' && value.of.kind === 'variable')
    ? [value]
    : operandsOf(value).flatMap(valuesIn);

const rootsOf = (value: Expression): readonly Variable[] =>
  value.kind === 'variable' ? [value] : operandsOf(value).flatMap(rootsOf);
