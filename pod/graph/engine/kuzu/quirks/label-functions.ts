import { call, list, literal, number } from '../../cypher/build';
import { type Quirk } from '../../cypher/quirk';
import { make } from '../../cypher/template';
import { type Call, type Expression, type HasLabels, type Query, type Span } from '../../cypher/tree';
import { changeExpressions, clausesIn, expressionsIn } from '../../cypher/walk';
import { tableNames } from '../load/table-names';

/**
 * The engine does not support `type(r)` and `n:Label`; its `labels(n)` is one text, without `[0]`, and is a label even
 * for a missing node. For a value that is not a variable of a pattern or an UNWIND it crashes, but such a value has the
 * label as a field. Tables may have longer names than in the mapping.
 */
export const labelFunctions: Quirk = {
  id: 'kuzu-label-functions',
  description: 'labels(n) returns a string, even if n is null; type(r) and n:Label are errors.',
  shown: {
    graph: 'CREATE (:N {id: 1})',
    query: 'MATCH (n:N) RETURN labels(n)[0]',
    right: [['N']],
    wrong: [['']],
  },
  rewrite: (query, { schema }) => {
    if (![...expressionsIn(query)].some((value) => isLabelCall(value) || value.kind === 'has_labels')) return query;
    const isEntity = entityTest(query);
    const isOptional = [...clausesIn(query)].some((clause) => clause.kind === 'match' && clause.optional);
    const isRenamed = tableNames(schema).differ;
    const labelOf = (of: Expression, place: Span): Expression => {
      const isPattern = of.kind === 'variable' ? isEntity(of.name) : isEnd(of);
      const table = isPattern ? call('label', [of], place) : make("struct_extract(_1, '_label')", place, of);
      return isRenamed ? call('split_part', [table, literal(' ', place), number('1', place)], place) : table;
    };
    const orNull = (of: Expression, then: Expression): Expression => {
      if (!isOptional && of.kind === 'variable' && isEntity(of.name)) return then;
      return make('CASE WHEN _1 IS NOT NULL THEN _2 END', then, of, then);
    };
    const firstElements = new Map<Expression, Expression>();
    return changeExpressions(query, (value) => {
      if (value.kind === 'index' && isZero(value.at)) return firstElements.get(value.of) ?? value;
      if (value.kind === 'has_labels') return orNull(value.of, tested(value, labelOf(value.of, value)));
      if (!isLabelCall(value)) return value;
      const [of] = value.arguments;
      if (of === undefined || of.kind === 'literal') return literal(null, value);
      const label = labelOf(of, value);
      if (value.name.toUpperCase() !== 'LABELS') return orNull(of, label);
      const labels = orNull(of, list([label], value));
      firstElements.set(labels, orNull(of, label));
      return labels;
    });
  },
};

const LABEL_FUNCTIONS = new Set(['LABEL', 'LABELS', 'TYPE']);

const isLabelCall = (value: Expression): value is Call =>
  value.kind === 'call' && LABEL_FUNCTIONS.has(value.name.toUpperCase());

const isEnd = (value: Expression): boolean => value.kind === 'call' && /^(START|END)_?NODE$/i.test(value.name);

const isZero = (value: Expression): boolean => value.kind === 'number' && /^0+$/.test(value.text);

/** A node has one label. */
const tested = ({ labels, ...place }: HasLabels, label: Expression): Expression => {
  const texts = new Set(labels.names.map(({ text }) => text));
  if (labels.of === 'all' && texts.size > 1) return literal(false, place);
  const right = list(
    [...texts].map((text) => literal(text, labels)),
    place,
  );
  return make('_1 IN _2', place, label, right);
};

/** Whether a name is a node or relationship of a pattern or UNWIND wherever it is assigned, as in `WITH n AS m`. */
const entityTest = (query: Query): ((name: string) => boolean) => {
  const assigned = new Map<string, (Expression | null)[]>();
  const assign = (text: string, value: Expression | null): void => {
    assigned.set(text, [...(assigned.get(text) ?? []), value]);
  };
  for (const clause of clausesIn(query)) {
    for (const { value, alias } of clause.kind === 'with' || clause.kind === 'return' ? clause.items : []) {
      if (alias !== null) assign(alias.text, value);
    }
  }
  for (const value of expressionsIn(query)) {
    if (value.kind === 'comprehension' || value.kind === 'quantifier' || value.kind === 'reduction') {
      assign(value.name.text, null);
    } else if (value.kind === 'lambda') for (const { text } of value.names) assign(text, null);
  }
  const isEntity = (text: string, seen: readonly string[]): boolean =>
    seen.includes(text) ||
    (assigned.get(text) ?? []).every((value) => value?.kind === 'variable' && isEntity(value.name, [...seen, text]));
  return (text) => isEntity(text, []);
};
