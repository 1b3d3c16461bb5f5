import { combinesRows } from './aggregates';
import { literal, variable } from './build';
import { itemName } from './column-titles';
import { type Clause, type Expression, type MapProjection, type ProjectionItem, type Query } from './tree';
import { changeClauses, changeExpressions, clausesIn, expressionsIn, isProjection, usedNamesIn } from './walk';

/**
 * A query without maps of all properties of which it reads only some: `properties(n).x` is `n.x`, and `n {.x}` suffices
 * in `WITH n {.*} AS m RETURN m.x`. The types of these properties are known, and not those of a map of all.
 */
export const withChosenFields = (query: Query): Query => {
  if (!expressionsIn(query).some((value) => allOf(value) !== null)) return query;
  const read = changeExpressions(query, (value) => {
    if (value.kind !== 'property') return value;
    const all = allOf(value.of);
    const { text } = value.name;
    return all === null || all.items.some((item) => nameOf(item) === text)
      ? value
      : { ...value, of: variable(all.of.text, all.of) };
  });
  const fields = new Map<string, Set<string>>();
  for (const value of expressionsIn(read))
    if (value.kind === 'property' && value.of.kind === 'variable')
      fields.set(value.of.name, (fields.get(value.of.name) ?? new Set()).add(value.name.text));
  const whole = wholeNames(read);
  return changeClauses(read, (clause) => {
    if (!isProjection(clause) || !clause.items.some(({ value }) => allOf(value) !== null)) return clause;
    const items = clause.items.map((item) => {
      const [all, read] = [allOf(item.value), fields.get(item.alias?.text ?? '')];
      return all === null || read === undefined || whole.has(item.alias?.text ?? '')
        ? item
        : { ...item, value: chosen(all, read) };
    });
    return { ...clause, items };
  });
};

/** `n {.*}` with other entries, also for `properties(n)`; null for any other value. */
const allOf = (value: Expression): MapProjection | null => {
  if (value.kind === 'map_projection') return value.items.some(({ kind }) => kind === 'all') ? value : null;
  if (value.kind !== 'call' || value.name.toUpperCase() !== 'PROPERTIES') return null;
  const [of] = value.arguments;
  if (of?.kind !== 'variable') return null;
  const { name: text, start, end } = of;
  return {
    kind: 'map_projection',
    of: { text, start, end },
    items: [{ kind: 'all' }],
    start: value.start,
    end: value.end,
  };
};

const nameOf = (item: MapProjection['items'][number]): string | null => {
  if (item.kind === 'all') return null;
  return item.kind === 'entry' ? item.entry.key.text : item.name.text;
};

const chosen = (all: MapProjection, fields: ReadonlySet<string>): MapProjection => {
  const others = all.items.filter(({ kind }) => kind !== 'all');
  const names = [...fields].filter((field) => others.every((item) => nameOf(item) !== field));
  const { start, end } = all;
  return {
    ...all,
    items: [...others, ...names.map((text) => ({ kind: 'property' as const, name: { text, start, end } }))],
  };
};

/** The names that a query uses in another way than to read fields or to pass the value on to later clauses. */
const wholeNames = (query: Query): ReadonlySet<string> => {
  const passing = new Set(
    clausesIn(query).flatMap((clause): readonly (Clause | undefined)[] => {
      if (clause.kind === 'with') return [clause];
      const isKept = clause.kind === 'call_query' && !clause.query.unions.includes('UNION');
      return isKept ? clause.query.parts.map((part) => part.at(-1)) : [];
    }),
  );
  const withoutPassed = (item: ProjectionItem): readonly ProjectionItem[] => {
    const all = allOf(item.value);
    if (all !== null) return [{ ...item, value: chosen(all, new Set()), alias: null }];
    return item.value.kind === 'variable' && item.value.name === itemName(item) ? [] : [item];
  };
  const others = changeClauses(query, (clause, original) =>
    isProjection(clause) && passing.has(original) && !combinesRows(clause)
      ? { ...clause, items: clause.items.flatMap(withoutPassed) }
      : clause.kind === 'call_query'
        ? { ...clause, imports: null }
        : clause,
  );
  return usedNamesIn(
    changeExpressions(others, (value) =>
      value.kind === 'property' && value.of.kind === 'variable' ? literal(null, value) : value,
    ),
  );
};
