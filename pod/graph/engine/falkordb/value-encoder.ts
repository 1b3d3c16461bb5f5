import { type GraphProperty, type GraphSchema } from '../graph-schema';
import { nodeIdJson } from '../node-id-json';
import { type Reply } from './resp';
import { storageOf, type Storage } from './storage';

/** Types of values in an answer, as the server numbers them. */
export const VALUE = {
  null: 1,
  text: 2,
  integer: 3,
  boolean: 4,
  double: 5,
  list: 6,
  edge: 7,
  node: 8,
  path: 9,
  map: 10,
  point: 11,
  vector: 12,
  timestamp: 13,
  date: 14,
  time: 15,
  duration: 16,
} as const;

/** Names by the numbers answers use for them. */
export interface Names {
  readonly labels: readonly string[];
  readonly types: readonly string[];
  readonly properties: readonly string[];
}

/** An answer uses a number that has no name yet: the names have to be read again. */
export class UnknownNameError extends Error {}

export interface ValueEncoder {
  /** JSON text of a value; the ends of edges are left as marks. */
  readonly encode: (type: number, value: Reply) => string;
  readonly needed: ReadonlySet<number>;
}

/** Stands for the `_id` of a node that is known by its number only. No JSON text has this character. */
export const idMark = (number: number): string => `\u0001${number}\u0001`;
export const ID_MARKS = /\u0001(\d+)\u0001/g;

export interface EncoderGraph {
  readonly schema: GraphSchema;
  readonly names: Names;
  /** Called with the JSON text of a node's `_id`. */
  readonly onNode: (number: number, idJson: string) => void;
}

interface Shape {
  readonly key: string | null;
  readonly properties: readonly { readonly name: string; readonly storage: Storage }[];
}

export const createValueEncoder = ({ schema, names, onNode }: EncoderGraph): ValueEncoder => {
  const needed = new Set<number>();
  const shapes = new Map<string, Shape>([
    ...schema.nodeTables.map(({ label, primaryKey, properties }): [string, Shape] => [
      label,
      { key: primaryKey.name, properties: [primaryKey, ...properties].map(stored) },
    ]),
    ...schema.edgeTables.map(({ type, properties }): [string, Shape] => [
      type,
      { key: null, properties: properties.map(stored) },
    ]),
  ]);

  const encode = (type: number, value: Reply): string => {
    switch (type) {
      case VALUE.null:
        return 'null';
      case VALUE.text:
        return JSON.stringify(textOf(value));
      case VALUE.integer:
        return textOf(value);
      case VALUE.boolean:
        return textOf(value);
      case VALUE.double:
        return doubleJson(textOf(value));
      case VALUE.list:
        return `[${items(value).map(pair).join(',')}]`;
      case VALUE.map:
        return mapJson(items(value));
      case VALUE.node:
        return nodeJson(items(value));
      case VALUE.edge:
        return edgeJson(items(value));
      case VALUE.path:
        return pathJson(items(value));
      case VALUE.vector:
        return `[${items(value)
          .map((item) => doubleJson(textOf(item)))
          .join(',')}]`;
      case VALUE.point: {
        const [latitude, longitude] = items(value).map((item) => doubleJson(textOf(item)));
        return `{"latitude":${latitude},"longitude":${longitude}}`;
      }
      default:
        return JSON.stringify(timeText(type, Number(value)));
    }
  };

  const pair = (value: Reply): string => {
    const [type, inner] = items(value);
    return encode(Number(type), inner ?? null);
  };

  const mapJson = (parts: readonly Reply[]): string => {
    const entries: string[] = [];
    for (let at = 0; at + 1 < parts.length; at += 2) {
      entries.push(`${JSON.stringify(textOf(parts[at]))}:${pair(parts[at + 1] ?? null)}`);
    }
    return `{${entries.join(',')}}`;
  };

  /** Every property of the table in its order, null where the entity has none. */
  const propertiesJson = (table: string, given: readonly Reply[]): { readonly json: string; readonly key: string } => {
    const values = new Map<string, readonly [number, Reply]>();
    for (const property of given) {
      const [number, type, value] = items(property);
      values.set(nameAt(names.properties, number), [Number(type), value ?? null]);
    }
    const shape = shapes.get(table) ?? { key: null, properties: [] };
    let key = 'null';
    const parts = shape.properties.map(({ name, storage }) => {
      const [type, value] = values.get(name) ?? [VALUE.null, null];
      const isJson = storage === 'json' && type === VALUE.text;
      const json = isJson ? textOf(value) : encode(type, value);
      if (name === shape.key) key = json;
      return `,${JSON.stringify(name)}:${json}`;
    });
    return { json: parts.join(''), key };
  };

  const nodeJson = ([number, labels, given]: readonly Reply[]): string => {
    const label = nameAt(names.labels, items(labels)[0]);
    const { json, key } = propertiesJson(label, items(given));
    const id = nodeIdJson(label, key);
    onNode(Number(number), id);
    return `{"_id":${id},"_label":${JSON.stringify(label)}${json}}`;
  };

  const edgeJson = ([number, typeNumber, from, to, given]: readonly Reply[]): string => {
    const type = nameAt(names.types, typeNumber);
    for (const end of [from, to]) needed.add(Number(end));
    const [start, end] = [idMark(Number(from)), idMark(Number(to))];
    const head = `{"_id":${JSON.stringify(`${type}:${textOf(number)}`)},"_type":${JSON.stringify(type)}`;
    return `${head},"_start":${start},"_end":${end},"_src":${start},"_dst":${end}${propertiesJson(type, items(given)).json}}`;
  };

  const pathJson = ([nodes, edges]: readonly Reply[]): string => {
    const [nodeParts, edgeParts] = [nodes, edges].map((part) => items(items(part)[1]));
    const steps = (nodeParts ?? []).flatMap((node, at) => [node, ...(edgeParts?.slice(at, at + 1) ?? [])]);
    return `[${steps.map(pair).join(',')}]`;
  };

  return { encode, needed };
};

export const items = (value: Reply | undefined): readonly Reply[] => (isList(value) ? value : []);

const isList = (value: Reply | undefined): value is readonly Reply[] => Array.isArray(value);

export const textOf = (value: Reply | undefined): string => {
  if (Buffer.isBuffer(value)) return value.toString();
  return typeof value === 'object' || value === undefined ? '' : String(value);
};

const stored = ({ name, type }: GraphProperty): { readonly name: string; readonly storage: Storage } => ({
  name,
  storage: storageOf(type),
});

const nameAt = (names: readonly string[], number: Reply | undefined): string => {
  const name = names[Number(number)];
  if (name === undefined) throw new UnknownNameError(`There is no name with the number ${textOf(number)}.`);
  return name;
};

const doubleJson = (text: string): string => {
  if (text.endsWith('nan')) return '"NaN"';
  if (text === 'inf') return '"Infinity"';
  return text === '-inf' ? '"-Infinity"' : String(Number(text));
};

/** The engine's own times have whole seconds; a duration is a number of seconds. */
const timeText = (type: number, seconds: number): string => {
  const DAY = 86_400;
  if (type === VALUE.duration) {
    const days = Math.trunc(seconds / DAY);
    const rest = seconds % DAY;
    return days === 0 ? `PT${rest}S` : `P${days}D${rest === 0 ? '' : `T${rest}S`}`;
  }
  const iso = new Date(seconds * 1000).toISOString();
  if (type === VALUE.timestamp) return iso;
  const [day = '', time = ''] = iso.split('T');
  return type === VALUE.date ? day : time.slice(0, 8);
};
