import { type Definitions } from '../../api/graphs';
import { type Session } from '../../api/session';
import { describeQueries } from '../../api/tables';
import { edgeSql, type GraphGuess, nodeSql } from './guess-graph';

/** A guess as a mapping, with the types the query engine finds. */
export const definitionsOf = async (
  api: Session['api'],
  name: string,
  { nodes, edges }: GraphGuess,
): Promise<Definitions> => {
  const isNode = (table: object): boolean => nodes.some((node) => node.table === table);
  const found = await describeQueries(
    api,
    nodes.map(nodeSql),
    edges.map((edge) => edgeSql(edge, !isNode(edge.table))),
  );
  return {
    name,
    node_definitions: found.node_definitions.map(({ sql, primary_key, properties }, index) => {
      const { label, key } = nodes[index] ?? { label: '', key: primary_key.name };
      return { label, sql, primary_key: { name: key, type: keyType(label, key, primary_key.type) }, properties };
    }),
    edge_definitions: found.edge_definitions.map(({ sql, properties }, index) => {
      const { type, fromKey, toKey, fromLabel, toLabel } = edges[index] ?? EMPTY;
      return { type, sql, from_key: fromKey, to_key: toKey, from_node: fromLabel, to_node: toLabel, properties };
    }),
  };
};

type Key = Definitions['node_definitions'][number]['primary_key']['type'];
const KEY_TYPES: readonly Key[] = ['STRING', 'INT64', 'INT32', 'INT16', 'INT8', 'DATE', 'TIMESTAMP', 'UUID'];

const keyType = (label: string, key: string, type: string): Key => {
  const found = KEY_TYPES.find((one) => one === type);
  if (found === undefined)
    throw new Error(`${key} has the type ${type}, which cannot be a key: choose another for ${label}.`);
  return found;
};

/** As many definitions come back as queries were sent. */
const EMPTY = { type: '', fromKey: '', toKey: '', fromLabel: '', toLabel: '' };
