import { type RowCounts } from '../../graph-engine';
import { type GraphSchema } from '../../graph-schema';
import { GRAPH_KEY } from '../server-process';
import { type SavedValues } from './saved-values';

/** Kinds of what a saved graph consists of, as the module numbers them. */
const NODES = 1;
const EDGES = 3;
const MATRICES = [6, 7, 8, 9];

/** `REDIS0012`, the first database, and one key with a value of the module's type `graphdata` in its version 18. */
export const FILE_HEAD = Buffer.concat([
  Buffer.from('REDIS0012\xfe\0\x07', 'latin1'),
  Buffer.from([GRAPH_KEY.length]),
  Buffer.from(GRAPH_KEY),
  Buffer.from('8182b6a985d6ad6812', 'hex'),
]);
/** The ends of the value and of the file, and no checksum. */
export const FILE_TAIL = Buffer.from('00ff0000000000000000', 'hex');

/** The names of all properties; attributes refer to them by their places. */
export const attributeNames = ({ nodeTables, edgeTables }: GraphSchema): readonly string[] => [
  ...new Set([
    ...nodeTables.flatMap(({ primaryKey, properties }) => [primaryKey, ...properties].map(({ name }) => name)),
    ...edgeTables.flatMap(({ properties }) => properties.map(({ name }) => name)),
  ]),
];

/** What stands before the nodes: how many of everything there is, names, and what follows. */
export const saveHeader = (values: SavedValues, schema: GraphSchema, rows: RowCounts): void => {
  const { nodeTables, edgeTables } = schema;
  const nodes = nodeTables.map(({ label }) => ({ kind: NODES, count: rows.nodes.get(label) ?? 0 }));
  const edges = edgeTables.map(({ type }) => ({ kind: EDGES, count: rows.edges.get(type) ?? 0 }));
  const sum = (parts: readonly { readonly count: number }[]): number =>
    parts.reduce((all, { count }) => all + count, 0);
  values.text(GRAPH_KEY);
  for (const count of [sum(nodes), sum(edges), 0, 0, nodeTables.length, edgeTables.length]) values.number(count);
  // Whether a type has edges with the same ends; the matrices tell.
  for (let type = 0; type < edgeTables.length; type++) values.number(0);
  const keysOfTheGraph = 1;
  values.number(keysOfTheGraph);

  const names = attributeNames(schema);
  values.number(names.length);
  for (const name of names) values.text(name);
  saveTables(
    values,
    nodeTables.map(({ label }) => label),
  );
  saveTables(
    values,
    edgeTables.map(({ type }) => type),
  );

  const parts = [...nodes, ...edges].filter(({ count }) => count > 0);
  const all = [...parts, ...MATRICES.map((kind) => ({ kind, count: 1 }))];
  values.number(all.length);
  for (const { kind, count } of all) {
    values.number(kind);
    values.number(count);
  }
};

const saveTables = (values: SavedValues, names: readonly string[]): void => {
  const [indexes, constraints] = [0, 0];
  values.number(names.length);
  for (const [id, name] of names.entries()) {
    values.number(id);
    values.text(name);
    values.number(indexes);
    values.number(constraints);
  }
};
