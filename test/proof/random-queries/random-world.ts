import { Temporal } from 'temporal-polyfill';
import { Moment } from '../../../pod/graph/engine/evaluate/temporal/moment';
import {
  type Graph,
  GraphNode,
  GraphRelationship,
  type Value,
  type ValueMap,
} from '../../../pod/graph/engine/evaluate/values';
import { Choice } from '../../support/choice';

export type Type = 'int' | 'big' | 'float' | 'text' | 'bool' | 'texts' | 'date' | 'moment';
type Properties = Readonly<Record<string, Type>>;

/** The first property is the key; all others may be null. Keys are repeated between labels. */
export const LABELS: Readonly<Record<string, Properties>> = {
  Person: {
    id: 'int',
    name: 'text',
    age: 'int',
    score: 'float',
    active: 'bool',
    city: 'text',
    tags: 'texts',
    big: 'big',
    born: 'date',
  },
  Movie: { id: 'int', title: 'text', year: 'int', tagline: 'text', rating: 'float', active: 'bool', added: 'moment' },
  Place: { code: 'text', name: 'text', size: 'int' },
  Account: { number: 'big', owner: 'text', limit: 'int', opened: 'date', open: 'bool' },
};

export interface EdgeType {
  readonly from: string;
  readonly to: string;
  readonly properties: Properties;
  readonly count: number;
}

/** KNOWS and PAID have loops, and all have parallel edges. */
export const TYPES: Readonly<Record<string, EdgeType>> = {
  KNOWS: { from: 'Person', to: 'Person', properties: { since: 'int', close: 'bool' }, count: 14 },
  ACTED_IN: { from: 'Person', to: 'Movie', properties: { role: 'text', fee: 'int' }, count: 10 },
  LIKES: { from: 'Person', to: 'Movie', properties: { stars: 'int' }, count: 8 },
  LIVES_IN: { from: 'Person', to: 'Place', properties: { since: 'int' }, count: 6 },
  OWNS: { from: 'Person', to: 'Account', properties: { share: 'float', since: 'date' }, count: 6 },
  PAID: { from: 'Account', to: 'Account', properties: { amount: 'int', at: 'moment' }, count: 9 },
};

/** Labels with properties whose types differ from those of others, labels that differ in case, and keywords as names. */
const FURTHER_LABELS: Readonly<Record<string, Properties>> = {
  Thing: {
    id: 'text',
    name: 'int',
    age: 'text',
    score: 'bool',
    active: 'int',
    tags: 'int',
    born: 'text',
    big: 'float',
  },
  person: { id: 'int', Name: 'text', from: 'int', order: 'text', select: 'int', group: 'bool', rowid: 'int', type: 'text', value: 'float', end: 'int' }, // prettier-ignore
};

export const KEYWORD_PROPERTIES = Object.keys(FURTHER_LABELS['person'] ?? {});

const FURTHER_TYPES: Readonly<Record<string, EdgeType>> = {
  HAS: { from: 'Person', to: 'Thing', properties: { since: 'text', close: 'int' }, count: 7 },
  PART_OF: { from: 'Thing', to: 'Thing', properties: { since: 'float' }, count: 6 },
  ORDER: { from: 'person', to: 'Person', properties: { from: 'int', to: 'text' }, count: 5 },
};

export const ALL_LABELS = { ...LABELS, ...FURTHER_LABELS };
export const ALL_TYPES = { ...TYPES, ...FURTHER_TYPES };

/** Longer than the texts that FalkorDB's indexes find. */
const LONG = 'é'.repeat(4_097);
const GREAT = [9007199254740992n, 9007199254740993n, 9007199254740995n, -9007199254740993n, 3n];

const KEYS: Readonly<Record<string, readonly Value[]>> = {
  Person: [1n, 2n, 3n, 4n, 5n, 6n, 7n],
  Movie: [1n, 2n, 3n, 4n, 5n],
  Place: ['a', 'A', '', ' a', 'b ', 'é', 'É', '日', LONG, `${LONG}a`],
  Account: [...GREAT, 9223372036854775807n],
};

const FURTHER_KEYS: Readonly<Record<string, readonly Value[]>> = {
  Thing: ['a', '1', '', 'x', 'été'],
  person: [1n, 2n, 8n],
};

/** Values in queries, from small ranges so that equal values occur. */
export const VALUES: Readonly<Record<Type, readonly Value[]>> = {
  int: [0n, 1n, 2n, 3n, 4n, -1n],
  big: GREAT,
  float: [0, 0.5, 1, -1.5, 2.25],
  text: ['a', 'A', 'ab', 'b', '', ' a', 'été', "it's", '1'],
  bool: [true, false],
  texts: [['a', 'b'], ['b'], [], ['x', 'a', 'a']],
  date: ['1969-12-31', '2000-02-29', '2024-01-01'].map((day) => new Moment('DATE', Temporal.PlainDateTime.from(day))),
  moment: ['1969-12-31T23:59:59', '2000-01-01T00:00:00', '2024-05-01T10:30:00'].map(
    (time) => new Moment('TIMESTAMP', Temporal.PlainDateTime.from(time)),
  ),
};

/** Values that JSON and queries cannot contain are stored, too. */
const STORED: typeof VALUES = { ...VALUES, float: [...VALUES.float, NaN, Infinity, -Infinity] };

/** Texts in queries and parameters, some of which are keys. */
export const KEY_TEXTS: readonly string[] = [
  'a',
  'A',
  '',
  ' ',
  ' a',
  'a ',
  'b ',
  'b',
  'é',
  'É',
  '日',
  LONG,
  `${LONG}a`,
  `${LONG}b`,
];

const NULL_PERCENT = 25;

/** The number of nodes and edges of a graph in addition to those of a small one. */
export interface WorldSize {
  readonly nodes: Readonly<Record<string, number>>;
  /** The number of edges of each type. */
  readonly edges: number;
  /** Whether it has the further labels, too. */
  readonly isWide: boolean;
  /** Whether it has neither NaN nor infinities. */
  readonly isFinite?: boolean;
}

const SMALL: WorldSize = { nodes: {}, edges: 1, isWide: false };
export const WIDE: WorldSize = { ...SMALL, isWide: true };
/** More rows than an engine of columns computes at once, 2,048. */
export const LARGE: WorldSize = {
  nodes: { Person: 4_000, Movie: 600, Place: 100, Account: 600 },
  edges: 300,
  isWide: false,
};

/** Integers beside those of `KEYS`, or texts. */
const keysOf = (keys: readonly Value[], more = 0): readonly Value[] => {
  const isText = typeof keys[0] === 'string';
  return [...keys, ...Array.from({ length: more }, (_, at) => (isText ? `k${at}` : BigInt(at + 100)))];
};

/** A graph with nulls in every property. */
export const randomWorld = (seed: number, size = SMALL): Graph => {
  const choice = new Choice(seed);
  const values = size.isFinite === true ? VALUES : STORED;
  const propertiesOf = (types: Properties): ValueMap =>
    new Map(
      Object.entries(types).flatMap(([name, type]) =>
        choice.percent(NULL_PERCENT) ? [] : [[name, choice.of(values[type])] as const],
      ),
    );
  const nodes: GraphNode[] = [];
  const keysByLabel = size.isWide ? { ...KEYS, ...FURTHER_KEYS } : KEYS;
  for (const [label, labelKeys] of Object.entries(keysByLabel)) {
    const keys = keysOf(labelKeys, size.nodes[label]);
    const types = ALL_LABELS[label]!;
    const [key = ''] = Object.keys(types);
    for (const value of keys)
      nodes.push(
        new GraphNode(
          nodes.length,
          [label],
          new Map([...propertiesOf(types)].filter(([name]) => name !== key)).set(key, value),
        ),
      );
  }
  const relationships: GraphRelationship[] = [];
  const byLabel = new Map(
    Object.keys(keysByLabel).map((own) => [own, nodes.filter(({ labels }) => labels[0] === own)]),
  );
  const endOf = (label: string): GraphNode => choice.of(byLabel.get(label)!);
  for (const [type, { from, to, properties, count }] of Object.entries(size.isWide ? ALL_TYPES : TYPES)) {
    for (let made = 0; made < count * size.edges; made++) {
      const last = relationships.at(-1);
      const isParallel = last?.type === type && made % 4 === 3;
      const isLoop = from === to && made % 5 === 0;
      const start = isParallel ? last.start : endOf(from);
      const end = isParallel ? last.end : isLoop ? start : endOf(to);
      relationships.push(new GraphRelationship(relationships.length, type, start, end, propertiesOf(properties)));
    }
  }
  return { nodes, relationships };
};
