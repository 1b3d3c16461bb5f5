import { type GraphProperty, type GraphSchema, nodeIdJson } from '../graph-schema';
import { items, type Reply, textOf } from './connection';
import { storageOf } from './storage';

/** Names by their numbers in answers. */
export interface Names {
  readonly labels: readonly string[];
  readonly types: readonly string[];
  readonly properties: readonly string[];
}

/** Placeholder of the `_id` of a node that is known by its number only. JSON texts do not contain this character. */
const idMark = (number: number): string => `\u0001${number}\u0001`;
export const ID_MARKS = /\u0001(\d+)\u0001/g;

interface Shape {
  readonly key: string | null;
  readonly properties: readonly { readonly name: string; readonly isJson: boolean }[];
}

const NO_SHAPE: Shape = { key: null, properties: [] };

/** Encodes the values of one answer as JSON texts. */
export class ValueEncoder {
  private needed = new Set<number>();
  private ids = new Map<number, string>();
  private readonly nodeShapes: ReadonlyMap<string, Shape>;
  private readonly edgeShapes: ReadonlyMap<string, Shape>;

  constructor(
    schema: GraphSchema,
    private readonly names: () => Names,
  ) {
    this.nodeShapes = new Map(
      schema.nodeTables.map(({ label, primaryKey, properties }) => [
        label,
        { key: primaryKey.name, properties: [primaryKey, ...properties].map(stored) },
      ]),
    );
    this.edgeShapes = new Map(
      schema.edgeTables.map(({ type, properties }) => [type, { key: null, properties: properties.map(stored) }]),
    );
  }

  /**
   * The numbers of the nodes whose ids are placeholders in the texts since the last call, and the JSON texts of the ids
   * of the nodes in these texts.
   */
  takeIds(): { readonly needed: ReadonlySet<number>; readonly ids: ReadonlyMap<number, string> } {
    const { needed, ids } = this;
    this.needed = new Set();
    this.ids = new Map();
    return { needed, ids };
  }

  /** The ends of edges remain placeholders. */
  encode(type: number, value: Reply): string {
    switch (type) {
      case VALUE.list:
        return this.listJson(items(value));
      case VALUE.map:
        return this.mapJson(items(value));
      case VALUE.node:
        return this.nodeJson(items(value));
      case VALUE.edge:
        return this.edgeJson(items(value));
      case VALUE.path:
        return this.pathJson(items(value));
      default:
        return scalarJson(type, value);
    }
  }

  private pair(value: Reply): string {
    const [type, inner] = items(value);
    return this.encode(Number(type), inner ?? null);
  }

  private listJson(parts: readonly Reply[]): string {
    return `[${parts.map((part) => this.pair(part)).join(',')}]`;
  }

  private mapJson(parts: readonly Reply[]): string {
    const entries: string[] = [];
    for (let at = 0; at + 1 < parts.length; at += 2) {
      entries.push(`${JSON.stringify(textOf(parts[at]))}:${this.pair(parts[at + 1] ?? null)}`);
    }
    return `{${entries.join(',')}}`;
  }

  /** Every property of the table in order, null if the entity does not have it. */
  private propertiesJson(shape: Shape, given: readonly Reply[]): { readonly json: string; readonly key: string } {
    const values = new Map<string, readonly [number, Reply]>();
    for (const property of given) {
      const [number, type, value] = items(property);
      // A property that is being written does not have a name yet, and is not in the schema either.
      values.set(this.names().properties[Number(number)] ?? '', [Number(type), value ?? null]);
    }
    let key = 'null';
    const parts = shape.properties.map(({ name, isJson }) => {
      const [type, value] = values.get(name) ?? [VALUE.null, null];
      const json = isJson && type === VALUE.text ? textOf(value) : this.encode(type, value);
      if (name === shape.key) key = json;
      return `,${JSON.stringify(name)}:${json}`;
    });
    return { json: parts.join(''), key };
  }

  private nodeJson([number, labels, given]: readonly Reply[]): string {
    const label = this.names().labels[Number(items(labels)[0])] ?? '';
    const { json, key } = this.propertiesJson(this.nodeShapes.get(label) ?? NO_SHAPE, items(given));
    const id = nodeIdJson(label, key);
    this.ids.set(Number(number), id);
    return `{"_id":${id},"_label":${JSON.stringify(label)}${json}}`;
  }

  private edgeJson([number, typeNumber, from, to, given]: readonly Reply[]): string {
    const type = this.names().types[Number(typeNumber)] ?? '';
    for (const end of [from, to]) this.needed.add(Number(end));
    const [start, end] = [idMark(Number(from)), idMark(Number(to))];
    const head = `{"_id":${JSON.stringify(`${type}:${textOf(number)}`)},"_type":${JSON.stringify(type)}`;
    const { json } = this.propertiesJson(this.edgeShapes.get(type) ?? NO_SHAPE, items(given));
    return `${head},"_start":${start},"_end":${end},"_src":${start},"_dst":${end}${json}}`;
  }

  private pathJson([nodes, edges]: readonly Reply[]): string {
    const [nodeParts, edgeParts] = [nodes, edges].map((part) => items(items(part)[1]));
    return this.listJson((nodeParts ?? []).flatMap((node, at) => [node, ...(edgeParts?.slice(at, at + 1) ?? [])]));
  }
}

const stored = ({ name, type }: GraphProperty) => ({ name, isJson: storageOf(type) === 'json' });

/** Types of values in an answer, as numbered by the server, without its dates and times, which a query cannot return. */
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
} as const;

/** JSON text of a value without nested values. */
export const scalarJson = (type: number, value: Reply): string => {
  switch (type) {
    case VALUE.null:
      return 'null';
    case VALUE.integer:
    case VALUE.boolean:
      return textOf(value);
    case VALUE.double:
      return doubleJson(value);
    case VALUE.vector:
      return `[${items(value).map(doubleJson).join(',')}]`;
    case VALUE.point: {
      const [latitude, longitude] = items(value).map(doubleJson);
      return `{"latitude":${latitude},"longitude":${longitude}}`;
    }
    default:
      return JSON.stringify(textOf(value));
  }
};

const doubleJson = (value: Reply): string => {
  const text = textOf(value);
  if (text.endsWith('nan')) return '"NaN"';
  if (text === 'inf') return '"Infinity"';
  return text === '-inf' ? '"-Infinity"' : String(Number(text));
};
