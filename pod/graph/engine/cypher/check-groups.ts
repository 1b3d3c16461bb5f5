import { aggregatesIn, isAggregate } from './aggregates';
import { number } from './build';
import { fail } from './query-fault';
import { shape } from './shape';
import { type Call, type Expression, type ProjectionClause } from './tree';
import { expressionsIn, localNames, operandsOf, outerNamesIn, ownNames, replaceOutermost } from './walk';

/** Aggregates must not contain aggregates or random numbers. */
export const checkAggregates = (value: Expression): void => {
  for (const aggregate of aggregatesIn(value)) {
    const [random] = expressionsIn(aggregate.arguments).flatMap((part) => (isRandom(part) ? [part] : []));
    const [inner = random] = aggregate.arguments.flatMap(aggregatesIn);
    if (inner !== undefined) fail(`${inner.name} inside ${aggregate.name}: name one of both by WITH before.`, inner);
  }
};

const isRandom = (value: Expression): value is Call => value.kind === 'call' && /^rand$/i.test(value.name);

/** Values next to an aggregate must be equal for all rows of its group. */
export const checkGroups = ({ items }: ProjectionClause): void => {
  const aggregated = items.filter(({ value }) => aggregatesIn(value).length > 0);
  if (aggregated.length === 0) return;
  const groups = items.filter((item) => !aggregated.includes(item)).map(({ value }) => value);
  const columns = new Set([...items.flatMap(({ alias }) => alias?.text ?? []), ...groups.flatMap(variableOf)]);
  // An operation on columns is one on values that are the same in a group only where it is a column itself.
  const simple = new Set(groups.filter(({ kind }) => kind === 'variable' || kind === 'property').map(shape));
  const check = (value: Expression, local: ReadonlySet<string>): void => {
    if (isAggregate(value) || simple.has(shape(value))) return;
    if (/^(pattern|pattern_comprehension|subquery)$/.test(value.kind))
      fail('A pattern or subquery is combined with an aggregate: name its value by WITH before.', value);
    const other = ownNames(value).find(({ text }) => !columns.has(text) && !local.has(text));
    if (other !== undefined) {
      const advice = 'add it as a column, or name it by WITH before';
      fail(`${other.text} is combined with an aggregate, but is not a column: ${advice}.`, value);
    }
    const inside = new Set([...local, ...localNames(value)]);
    for (const inner of operandsOf(value)) check(inner, inside);
  };
  for (const { value } of aggregated) check(value, new Set());
};

const variableOf = (value: Expression): readonly string[] => (value.kind === 'variable' ? [value.name] : []);

/** Whether ORDER BY and WHERE of combined rows use only their columns; `before`: the names before the clause. */
export const isOrderKnown = (clause: ProjectionClause, before: ReadonlyMap<string, unknown>): boolean => {
  const { items, orderBy, where } = clause;
  const columns = new Set(items.map(({ value }) => shape(value)));
  const names = new Set(items.flatMap(({ value, alias }) => [...variableOf(value), alias?.text ?? []].flat()));
  const left = replaceOutermost({ orderBy, where }, (value) => (columns.has(shape(value)) ? number('1', value) : null));
  return (
    outerNamesIn(left).every((known) => names.has(known) || !before.has(known)) &&
    left.orderBy.every(({ value }) => aggregatesIn(value).length === 0)
  );
};
