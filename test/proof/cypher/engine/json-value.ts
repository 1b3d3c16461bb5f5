import { GraphNode, GraphRelationship, type Value } from '../../../../pod/graph/engine/evaluate/values';
import { MADE_KEY, UNLABELLED } from './graph-tables';

/** The rows of a pod's answer, with exact integers, without the label and the key that loading has added. */
export const valuesOfJson = (rowsJson: string): readonly (readonly Value[])[] => {
  const marked = rowsJson.replace(TOKEN, (token) => (token.startsWith('"') ? `"s${token.slice(1)}` : `"n${token}"`));
  const rows: unknown = JSON.parse(marked);
  return Array.isArray(rows)
    ? rows.map((row: unknown) => (Array.isArray(row) ? row.map(valueOf) : [])).filter((row) => !row.includes(MADE_KEY))
    : [];
};

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g;

const valueOf = (json: unknown): Value => {
  if (typeof json === 'string') return json.startsWith('s') ? json.slice(1) : numberOf(json.slice(1));
  if (typeof json === 'boolean' || typeof json !== 'object' || json === null)
    return json === true || json === false ? json : null;
  if (Array.isArray(json)) return json.map(valueOf).filter((item) => item !== UNLABELLED && item !== MADE_KEY);
  return entityOf(new Map(Object.entries(json).map(([key, item]) => [key.slice(1), valueOf(item)])));
};

const numberOf = (text: string): Value => (/^-?\d+$/.test(text) ? BigInt(text) : Number(text));

const NOWHERE = new GraphNode(0, [], new Map());

const entityOf = (json: ReadonlyMap<string, Value>): Value => {
  const map = new Map([...json].filter(([key]) => key !== MADE_KEY));
  const [label, type] = [map.get('_label'), map.get('_type')];
  const properties = new Map([...map].filter(([key]) => !OF_ENTITIES.test(key)));
  if (typeof label === 'string') return new GraphNode(0, label === UNLABELLED ? [] : [label], properties);
  return typeof type === 'string' ? new GraphRelationship(0, type, NOWHERE, NOWHERE, properties) : map;
};

const OF_ENTITIES = /^_(?:id|label|type|start|end|src|dst)$/;
