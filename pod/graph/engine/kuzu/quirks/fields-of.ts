import { type Expression, type Query } from '../../cypher/tree';
import { clausesIn, expressionsIn } from '../../cypher/walk';

/** The fields that a map can have; null where the query does not show them. */
export type FieldsOf = (value: Expression) => ReadonlySet<string> | null;

/** Follows the names that WITH and UNWIND give to maps. */
export const fieldsOf = (query: Query): FieldsOf => {
  const assigned = new Map<string, (Expression | null)[]>();
  const assign = (name: string, value: Expression | null): void => {
    assigned.set(name, [...(assigned.get(name) ?? []), value]);
  };
  for (const clause of clausesIn(query)) {
    if (clause.kind === 'unwind')
      assign(clause.name.text, clause.list.kind === 'list' ? (clause.list.items[0] ?? null) : null);
    if (clause.kind === 'call_procedure')
      for (const { name, alias } of clause.yields ?? []) assign((alias ?? name).text, null);
    if (clause.kind !== 'with') continue;
    for (const { value, alias } of clause.items) if (alias !== null) assign(alias.text, value);
  }
  for (const value of expressionsIn(query)) {
    if (value.kind === 'comprehension' || value.kind === 'quantifier' || value.kind === 'reduction')
      assign(value.name.text, null);
    if (value.kind === 'lambda') for (const { text } of value.names) assign(text, null);
  }
  const all = (values: readonly (Expression | null)[], seen: readonly string[]): ReadonlySet<string> | null => {
    const sets = values.map((value) => (value === null ? null : find(value, seen)));
    return sets.length === 0 || sets.includes(null) ? null : new Set(sets.flatMap((fields) => [...(fields ?? [])]));
  };
  const find = (value: Expression, seen: readonly string[]): ReadonlySet<string> | null => {
    if (value.kind === 'map') return new Set(value.entries.map(({ key }) => key.text));
    if (value.kind === 'case')
      return all(
        [...value.branches.map(({ then }) => then), ...(value.otherwise === null ? [] : [value.otherwise])],
        seen,
      );
    if (value.kind !== 'variable' || seen.includes(value.name)) return null;
    return all(assigned.get(value.name) ?? [], [...seen, value.name]);
  };
  return (value) => find(value, []);
};
