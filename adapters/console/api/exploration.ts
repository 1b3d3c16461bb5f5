import { isLeft } from 'fp-ts/Either';
import { cypherName, type Neighbours, nodeOfId, readNeighbours } from '../../client/web';
import { need } from './failure';
import { type Address, useRunQuery, type useSchema } from './queries';
import { useSession } from './session';

export type { Neighbours };

/** The neighbours to return; without a type only their counts, and the nodes themselves. */
export type Step = Pick<Neighbours['counts'][number], 'type' | 'direction'>;

const MOST_EDGES = 300;
const MOST_NODES = 1_000;
const MOST_STEPS = 15;

/** Neighbours of nodes, and their counts by type. */
export const useNeighbours = ({ kind, url }: Address) => {
  const session = useSession();
  return async (nodes: readonly string[], step: Step | null): Promise<Neighbours> => {
    const wanted =
      step === null ? { limit: 0 } : { edge_types: [step.type], direction: step.direction, limit: MOST_EDGES };
    const text = await need(
      session.instance(kind, url).neighbours({ body: { nodes: nodes.slice(0, MOST_NODES), ...wanted } }),
    );
    const found = readNeighbours(text);
    if (isLeft(found)) throw new Error(found.left);
    return found.right;
  };
};

/** The rows of a shortest path between two nodes, in any direction; empty beyond 15 edges. */
export const usePath = (address: Address, schema: ReturnType<typeof useSchema>['data']) => {
  const run = useRunQuery(address);
  return async (from: string, to: string): Promise<readonly unknown[]> => {
    const labels = (schema?.node_tables ?? []).map(({ label, primary_key: key, primary_key_type: type }) => ({
      label,
      key,
      type,
    }));
    const ends = [from, to].map((id, place) => {
      const node = nodeOfId(id, labels, address.kind);
      if (isLeft(node)) throw new Error(`The graph ${node.left}.`);
      const { of, literal } = node.right;
      return `(${place === 0 ? 'a' : 'b'}:${cypherName(of.label)} {${cypherName(of.key)}: ${literal}})`;
    });
    const query = `MATCH p = shortestPath(${ends.join(`-[*1..${MOST_STEPS}]-`)}) RETURN p LIMIT 1`;
    return (await run({ query, parameters: {} }, new AbortController().signal)).rows;
  };
};
