import { Duration } from '../../../pod/graph/engine/evaluate/temporal/duration';
import { Moment } from '../../../pod/graph/engine/evaluate/temporal/moment';
import {
  GraphNode,
  type GraphPath,
  GraphRelationship,
  isList,
  isMap,
  type Value,
  type ValueMap,
} from '../../../pod/graph/engine/evaluate/values';

export interface TextRules {
  /** As in the answers of a pod: 1 is 1.0, a path is a list, and a time has all its digits. */
  readonly asJson: boolean;
  readonly anyOrderInLists: boolean;
  /** Whether great integers are compared to 12 digits, because JSON does not show that they are floats. */
  readonly hasGreatFloats?: boolean;
}

/** A text that is the same for values that the TCK considers equal: nodes and relationships without ids. */
export const valueText = (value: Value, rules: TextRules): string => {
  const text = (part: Value): string => valueText(part, rules);
  if (typeof value === 'bigint' && rules.hasGreatFloats === true) return floatText(Number(value), rules);
  if (value === null || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (typeof value === 'string') return JSON.stringify(rules.asJson ? plainTimestamp(value) : value);
  if (typeof value === 'number') return floatText(value, rules);
  if (isList(value)) {
    const items = value.map(text);
    return `[${(rules.anyOrderInLists ? items.sort() : items).join(', ')}]`;
  }
  if (value instanceof Moment || value instanceof Duration) return text(String(value));
  if (isMap(value)) return mapText(value, text);
  if (value instanceof GraphNode) {
    const labels = [...value.labels].sort().map((label) => `:${label}`);
    return `(${`${labels.join('')}${propertiesText(value.properties, text)}`.trim()})`;
  }
  if (value instanceof GraphRelationship) return `[:${value.type}${propertiesText(value.properties, text)}]`;
  return pathText(value, text, rules);
};

/** To 12 digits. */
const floatText = (value: number, { asJson }: TextRules): string => {
  if (asJson && !Number.isFinite(value)) return JSON.stringify(String(value));
  const short = Number(value.toPrecision(12));
  if (asJson && Number.isInteger(short)) return String(BigInt(short));
  return Number.isInteger(short) && Math.abs(short) < 1e15 ? `${short}.0` : String(short);
};

const TIMESTAMP = /^[-+]?\d{4,6}-\d\d-\d\dT\d\d:\d\d:\d\d\.(?:\d{3}){1,3}Z$/;

/** A TIMESTAMP of a pod as openCypher shows a local date with a time. */
const plainTimestamp = (text: string): string =>
  TIMESTAMP.test(text) ? text.replace(/\.?0*Z$/, '').replace(/:00$/, '') : text;

const mapText = (value: ValueMap, text: (part: Value) => string): string =>
  `{${[...value]
    .map(([key, item]) => `${key}: ${text(item)}`)
    .sort()
    .join(', ')}}`;

const propertiesText = (properties: ValueMap, text: (part: Value) => string): string => {
  const present = new Map([...properties].filter(([, value]) => value !== null));
  return present.size === 0 ? '' : ` ${mapText(present, text)}`;
};

const pathText = (
  { nodes, relationships }: GraphPath,
  text: (part: Value) => string,
  { asJson }: TextRules,
): string => {
  const parts = nodes.map((node, at) => {
    const relationship = relationships[at];
    if (relationship === undefined) return [text(node)];
    if (asJson) return [text(node), text(relationship)];
    const [before, after] = relationship.start === node ? ['-', '->'] : ['<-', '-'];
    return [text(node), `${before}${text(relationship)}${after}`];
  });
  return asJson ? `[${parts.flat().join(', ')}]` : `<${parts.flat().join('')}>`;
};
