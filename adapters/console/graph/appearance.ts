import { digitsOf, shortNumber, truncate } from '../kit/format';
import { type DrawnNode } from './exploration';

export type Layout = 'force' | 'tree' | 'circle';

/** The style of a drawing, chosen by the user. */
export interface GraphStyle {
  readonly layout: Layout;
  /** A property; null: the label. */
  readonly colourBy: string | null;
  readonly sizeBy: string | null;
  /** Caption property by label; absent: a name if the node has one, otherwise the key. */
  readonly captions: Readonly<Record<string, string>>;
  /** Chosen colours by label. */
  readonly colours: Readonly<Record<string, string>>;
}

export const PLAIN_STYLE: GraphStyle = { layout: 'force', colourBy: null, sizeBy: null, captions: {}, colours: {} };

/** Nodes of one colour. */
export interface LegendEntry {
  readonly key: string;
  readonly colour: string;
  readonly count: number;
}

/** A style applied to nodes. */
export interface Appearance {
  readonly legend: readonly LegendEntry[];
  /** Key of a node's entry in the legend. */
  readonly keyOf: (node: DrawnNode) => string;
  readonly colourOf: (node: DrawnNode) => string;
  readonly radiusOf: (node: DrawnNode) => number;
  readonly captionOf: (node: DrawnNode) => string;
}

/** Colours that are distinct on light and dark backgrounds, also for most people with red-green colour blindness. */
const PALETTE = ['#1098ad', '#f08c00', '#7048e8', '#e64980', '#2f9e44', '#3b5bdb', '#c2255c'];
const GREY = '#868e96';
/** From low to high. */
const RAMP = ['#4dabf7', '#3bc9db', '#38d9a9', '#fab005', '#f03e3e'];
export const RADIUS = 5;
const [LEAST_RADIUS, MOST_RADIUS] = [3, 14];
/** Above this number of different integers, they are amounts, not groups. */
const MOST_GROUPS = 50;
const ABSENT = 'no value';
const OTHERS = 'others';

/** Applies a style to nodes. */
export const appearanceOf = (style: GraphStyle, nodes: readonly DrawnNode[]): Appearance => {
  const { keyOf, colours } = colouring(style, nodes);
  const counts = new Map<string, number>();
  for (const node of nodes) counts.set(keyOf(node), (counts.get(keyOf(node)) ?? 0) + 1);
  const colour = (key: string): string => colours.get(key) ?? GREY;
  return {
    legend: [...new Set([...colours.keys(), ...counts.keys()])]
      .filter((key) => counts.has(key))
      .map((key) => ({ key, colour: colour(key), count: counts.get(key) ?? 0 })),
    keyOf,
    colourOf: (node) => colour(keyOf(node)),
    radiusOf: sizing(style.sizeBy, nodes),
    captionOf: (node) => captionOf(node, style.captions[node.label]),
  };
};

interface Colouring {
  readonly keyOf: (node: DrawnNode) => string;
  /** By key, in the order of the legend. */
  readonly colours: ReadonlyMap<string, string>;
}

const colouring = ({ colourBy, colours }: GraphStyle, nodes: readonly DrawnNode[]): Colouring => {
  if (colourBy === null) {
    const labels = [...new Set(nodes.map(({ label }) => label))].sort();
    const byLabel = labels.map((label, index) => [label, colours[label] ?? PALETTE[index % PALETTE.length] ?? GREY]);
    return { keyOf: ({ label }) => label, colours: new Map(byLabel as [string, string][]) };
  }
  const values = nodes.flatMap(({ properties: { [colourBy]: value } }) => (isPlain(value) ? [value] : []));
  const numbers = values.map(Number);
  const isAmount =
    values.every((value) => typeof value !== 'string' && typeof value !== 'boolean') &&
    (numbers.some((value) => !Number.isInteger(value)) || new Set(numbers).size > MOST_GROUPS);
  return isAmount ? byAmount(colourBy, numbers) : byGroup(colourBy, values.map(String));
};

const byGroup = (property: string, values: readonly string[]): Colouring => {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const largest = [...counts].sort(([a, x], [b, y]) => y - x || a.localeCompare(b)).slice(0, PALETTE.length);
  const colours = new Map(largest.map(([value], index) => [value, PALETTE[index] ?? GREY]));
  return {
    colours,
    keyOf: ({ properties: { [property]: value } }) => {
      if (!isPlain(value)) return ABSENT;
      return colours.has(String(value)) ? String(value) : OTHERS;
    },
  };
};

/** Five colours for equal numbers of nodes, as far as equal values allow. */
const byAmount = (property: string, numbers: readonly number[]): Colouring => {
  const sorted = [...numbers].sort((a, b) => a - b);
  const parts = RAMP.map((_, index) => sorted[Math.floor(((index + 1) * sorted.length) / RAMP.length) - 1] ?? 0);
  const bounds = [...new Set(parts)];
  const digits = digitsOf(bounds);
  const keys = bounds.map((bound) => `≤ ${shortNumber(bound, digits)}`);
  return {
    colours: new Map(keys.map((key, index) => [key, RAMP[RAMP.length - keys.length + index] ?? GREY])),
    keyOf: ({ properties: { [property]: value } }) => {
      if (!isPlain(value)) return ABSENT;
      return keys[bounds.findIndex((bound) => Number(value) <= bound)] ?? keys.at(-1) ?? ABSENT;
    },
  };
};

const sizing = (property: string | null, nodes: readonly DrawnNode[]): Appearance['radiusOf'] => {
  if (property === null) return () => RADIUS;
  const amount = ({ properties: { [property]: value } }: DrawnNode): number => (isPlain(value) ? Number(value) : NaN);
  const amounts = nodes.map(amount).filter(Number.isFinite);
  const least = amounts.reduce((a, b) => Math.min(a, b), Infinity);
  const most = amounts.reduce((a, b) => Math.max(a, b), -Infinity);
  return (node) => {
    const share = (amount(node) - least) / (most - least);
    // The area is proportional to the value.
    return Number.isFinite(share) ? LEAST_RADIUS + (MOST_RADIUS - LEAST_RADIUS) * Math.sqrt(share) : LEAST_RADIUS;
  };
};

const isPlain = (value: unknown): value is string | number | bigint | boolean =>
  ['string', 'number', 'bigint', 'boolean'].includes(typeof value);

const CAPTIONS = ['name', 'title', 'label', 'caption', 'full_name', 'username', 'email'];
export const MAX_CAPTION = 40;

/** The caption of a node: the chosen property, otherwise a name if it has one, otherwise its key. */
export const captionOf = ({ id, properties }: DrawnNode, property?: string): string => {
  const names = [...CAPTIONS, ...Object.keys(properties).filter((one) => /^[a-z]{1,2}_name$/.test(one))];
  const name = [...(property === undefined ? [] : [property]), ...names].find((one) => isPlain(properties[one]));
  return truncate(name === undefined ? id.slice(id.indexOf(':') + 1) : String(properties[name]), MAX_CAPTION);
};

/** Properties of nodes by name, each with whether all its values are numbers. */
export const propertiesOf = (nodes: readonly DrawnNode[]): ReadonlyMap<string, boolean> => {
  const found = new Map<string, boolean>();
  for (const { properties } of nodes) {
    for (const [name, value] of Object.entries(properties)) {
      if (isPlain(value)) found.set(name, (found.get(name) ?? true) && /number|bigint/.test(typeof value));
    }
  }
  return new Map([...found].sort(([a], [b]) => a.localeCompare(b)));
};
