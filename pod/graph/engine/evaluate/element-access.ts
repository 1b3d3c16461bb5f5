import { type HasLabels } from '../cypher/tree';
import { fail, unsupported } from './evaluation-fault';
import {
  GraphNode,
  GraphRelationship,
  isList,
  isMap,
  kindOf,
  Moment,
  type Truth,
  type Value,
  type ValueMap,
} from './values';

/** The keys and values of a map, node or relationship. */
const entriesOf = (value: Value): ValueMap => {
  if (isMap(value)) return value;
  if (value instanceof Moment) return partsOf(value);
  if (value instanceof GraphNode || value instanceof GraphRelationship) return value.properties;
  return fail(`a property of ${kindOf(value)}`);
};

const PARTS = ['month', 'day', 'hour', 'minute', 'second'];

const partsOf = ({ type, iso }: Moment): ValueMap => {
  if (type === 'DURATION') return new Map([['days', BigInt(/-?\d+(?=D)/.exec(iso)?.[0] ?? 0)]]);
  const [, year = '', rest = '', fraction] = /^([-+]?\d+)-([^.Z]*)(?:\.(\d+))?Z?$/.exec(iso) ?? [];
  const parts = rest.split(/[-T:]/).map((digits, at) => [PARTS[at] ?? '', BigInt(digits)] as const);
  const fractions =
    fraction === undefined
      ? []
      : ([
          ['millisecond', 3],
          ['microsecond', 6],
        ] as const);
  return new Map([
    ['year', BigInt(year)],
    ...parts,
    ...fractions.map(([name, digits]) => [name, BigInt((fraction ?? '').padEnd(6, '0').slice(0, digits))] as const),
  ]);
};

/** `n.name`. */
export const propertyOf = (value: Value, name: string): Value =>
  value === null ? null : (entriesOf(value).get(name) ?? (value instanceof Moment ? unsupported(name) : null));

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
