import { type HasLabels } from '../cypher/tree';
import { fail } from './evaluation-fault';
import { componentOf } from './temporal/components';
import { Duration } from './temporal/duration';
import { Moment } from './temporal/moment';
import { GraphNode, GraphRelationship, isList, isMap, kindOf, type Truth, type Value, type ValueMap } from './values';

/** The keys and values of a map, node or relationship. */
const entriesOf = (value: Value): ValueMap => {
  if (isMap(value)) return value;
  if (value instanceof GraphNode || value instanceof GraphRelationship) return value.properties;
  return fail(`a property of ${kindOf(value)}`);
};

/** `n.name`. */
export const propertyOf = (value: Value, name: string): Value => {
  if (value instanceof Moment || value instanceof Duration) return componentOf(value, name);
  return value === null ? null : (entriesOf(value).get(name) ?? null);
};

/** `list[0]`, `map['key']`. */
export const elementAt = (value: Value, at: Value): Value => {
  if (value === null || at === null) return null;
  if (!isList(value)) return typeof at === 'string' ? propertyOf(value, at) : fail(`${kindOf(value)}[${kindOf(at)}]`);
  return typeof at === 'bigint' ? (value.at(Number(at)) ?? null) : fail(`a list at ${kindOf(at)}`);
};

/** `list[1..3]`; null if a bound is null. `undefined`: no bound. */
export const sliceOf = (value: Value, from: Value | undefined, to: Value | undefined): Value => {
  if (value === null || from === null || to === null) return null;
  const bound = (at: Value | undefined): number | undefined => {
    if (at === undefined) return undefined;
    return typeof at === 'bigint' ? Number(at) : fail(`a list at ${kindOf(at ?? null)}`);
  };
  return isList(value) ? value.slice(bound(from), bound(to)) : fail(`a part of ${kindOf(value)}`);
};

/** `n:A:B`; the type of a relationship is its only label. */
export const hasLabels = (value: Value, { names, of }: HasLabels['labels']): Truth => {
  if (value === null) return null;
  const labels = value instanceof GraphRelationship ? [value.type] : labelsOf(value);
  const found = names.map(({ text }) => labels.includes(text));
  return of === 'all' ? !found.includes(false) : found.includes(true);
};

const labelsOf = (value: Value): readonly string[] =>
  value instanceof GraphNode ? value.labels : fail(`a label of ${kindOf(value)}`);
