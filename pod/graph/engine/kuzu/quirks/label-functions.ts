import { call, isNotNull, literal, number } from '../../cypher/build';
import { QueryFault } from '../../cypher/query-fault';
import { type Quirk } from '../../cypher/quirk';
import { type Call, type Case, type Expression, type Query } from '../../cypher/tree';
import { changeExpressions, clausesIn, expressionsIn } from '../../cypher/walk';
import { tableNames } from '../load/table-names';

/**
 * The engine lacks `type(r)`; its `labels(n)` is one text, which has no `[0]`, and is a label even for a missing node. For
 * a value that is not a variable of a pattern or an UNWIND it crashes. Tables may have longer names than in the mapping.
 */
export const labelFunctions: Quirk = {
  id: 'kuzu-label-functions',
  description: 'labels(n) is a text, also of a missing node, and type(r) is unknown.',
  shown: {
    graph: 'CREATE (:N {id: 1})',
    query: 'MATCH (n:N) RETURN labels(n)[0]',
    right: [['N']],
    wrong: [['']],
  },
  rewrite: (query, { schema }) => {
    const calls = new Set([...expressionsIn(query)].filter(isLabelCall));
    if (calls.size === 0) return query;
    const isEntity = entityTest(query);
    for (const { name, start, arguments: values } of calls) {
      const [value, more] = values;
      if (value?.kind === 'variable' && more === undefined && isEntity(value.name)) continue;
      throw new QueryFault(
        `${name} needs a variable of MATCH or UNWIND: UNWIND nodes(path) AS n, then ${name}(n).`,
        start,
      );
    }
    const lists = listsIn(query);
    const isOptional = [...clausesIn(query)].some((clause) => clause.kind === 'match' && clause.optional);
    const write = (value: Call): Expression => written(value, lists.has(value), isOptional, tableNames(schema).differ);
    const firstElements = new Set<Expression>();
    return changeExpressions(query, (value) => {
      if (value.kind === 'index' && firstElements.has(value.of)) return value.of;
      if (!isLabelCall(value)) return value;
      const label = write(value);
      if (!lists.has(value)) firstElements.add(label);
      return label;
    });
  },
};

const LABEL_FUNCTIONS = new Set(['LABEL', 'LABELS', 'TYPE']);

const isLabelCall = (value: Expression): value is Call =>
  value.kind === 'call' && LABEL_FUNCTIONS.has(value.name.toUpperCase());

const isLabels = (value: Expression): value is Call => isLabelCall(value) && value.name.toUpperCase() === 'LABELS';

const written = (
  { arguments: [variable], ...place }: Call,
  isList: boolean,
  isOptional: boolean,
  isRenamed: boolean,
): Expression => {
  if (variable === undefined) return literal(null, place);
  const table = call('label', [variable], place);
  const label = isRenamed ? call('split_part', [table, literal(' ', place), number('1', place)], place) : table;
  const { start, end } = place;
  const value: Expression = isList ? { kind: 'list', items: [label], start, end } : label;
  if (!isOptional) return value;
  const branches = [{ when: isNotNull(variable), then: value }];
  return { kind: 'case', subject: null, branches, otherwise: null, start, end } satisfies Case;
};

/** The calls of `labels` that are used as lists, and not as a text as in `labels(n) = 'City'`. */
const listsIn = (query: Query): ReadonlySet<Expression> => {
  const lists = new Set<Expression>();
  for (const clause of clausesIn(query)) if (clause.kind === 'unwind' && isLabels(clause.list)) lists.add(clause.list);
  for (const value of expressionsIn(query)) {
    if (value.kind === 'binary' && value.operator === 'IN' && isLabels(value.right)) lists.add(value.right);
    const [first] = value.kind === 'call' && value.name.toUpperCase() === 'SIZE' ? value.arguments : [];
    if (first !== undefined && isLabels(first)) lists.add(first);
    if (value.kind !== 'index' || !isLabels(value.of)) continue;
    if (value.at.kind === 'number' && value.at.text === '0') continue;
    throw new QueryFault('A node has one label on this kind of instance: labels(n)[0], or label(n).', value.at.start);
  }
  return lists;
};

/** Whether a name means a node or relationship wherever it is assigned: `WITH n AS m`, `UNWIND … AS m`. */
const entityTest = (query: Query): ((name: string) => boolean) => {
  const assigned = new Map<string, Expression[]>();
  for (const clause of clausesIn(query)) {
    for (const { value, alias } of clause.kind === 'with' || clause.kind === 'return' ? clause.items : []) {
      if (alias !== null) assigned.set(alias.text, [...(assigned.get(alias.text) ?? []), value]);
    }
  }
  const isEntity = (name: string, seen: readonly string[]): boolean =>
    seen.includes(name) ||
    (assigned.get(name) ?? []).every((value) => value.kind === 'variable' && isEntity(value.name, [...seen, name]));
  return (name) => isEntity(name, []);
};
