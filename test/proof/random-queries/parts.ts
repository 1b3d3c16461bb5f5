import { type QueryMaker } from './query-maker';
import { ALL_LABELS } from './random-world';

/** A node in scope. */
export interface NamedNode {
  readonly name: string;
  readonly label: string;
}

/** The name of the key of a label. */
export const keyOf = (label: string): string => Object.keys(ALL_LABELS[label] ?? {})[0] ?? 'id';

export const lastNode = (maker: QueryMaker): NamedNode => maker.nodesInScope().at(-1) ?? { name: 'n', label: 'Person' };

/** MATCH of a node, then OPTIONAL MATCH of a step from it to a node that is null in some rows. */
export const optionalNode = (
  maker: QueryMaker,
): { readonly text: string; readonly outer: NamedNode; readonly node: NamedNode } => {
  const first = maker.node();
  const outer = lastNode(maker);
  const { text, to } = maker.within([], () => maker.step(outer.label));
  const last = maker.node(to);
  const node = lastNode(maker);
  const optional = `OPTIONAL MATCH (${outer.name})${text.replace(/\[r\d+/, '[')}${last}${maker.where(40)}`;
  return { text: `MATCH ${first} ${optional}`, outer, node };
};
