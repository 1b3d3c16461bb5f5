import { type DrawnGraph } from '../../../graph/drawn-graph';

interface Rows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/** A drawing as rows: its nodes with their properties, then its edges with their ends. */
export const drawnRows = ({ nodes, edges }: DrawnGraph): Rows => {
  const names = [...new Set([...nodes, ...edges].flatMap(({ properties }) => Object.keys(properties)))];
  const valuesOf = (properties: Readonly<Record<string, unknown>>) => names.map((name) => properties[name]);
  return {
    columns: ['label or type', 'id', 'from', 'to', ...names],
    rows: [
      ...nodes.map(({ label, id, properties }) => [label, id, null, null, ...valuesOf(properties)]),
      ...edges.map(({ type, id, from, to, properties }) => [type, id, from, to, ...valuesOf(properties)]),
    ],
  };
};
