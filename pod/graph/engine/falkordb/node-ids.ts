import { isLeft, right } from 'fp-ts/Either';
import { type GraphSchema } from '../graph-schema';
import { nodeIdJson } from '../node-id-json';
import { GRAPH_KEY, type NodeIds } from './run-query';
import { type LabelRange } from './saved-graph/graph-writer';
import { createValueEncoder, items } from './value-encoder';

const MAX_KEPT = 1_000_000;
const MAX_AT_ONCE = 20_000;

/** Remembers the ids seen in answers, and asks the engine for others by their numbers, label by label. */
export const createNodeIds = (schema: GraphSchema, ranges: readonly LabelRange[]): NodeIds => {
  const known = new Map<number, string>();
  const encoder = createValueEncoder({
    schema,
    names: { labels: [], types: [], properties: [] },
    onNode: () => undefined,
  });

  const remember = (number: number, idJson: string): void => {
    if (known.size >= MAX_KEPT) known.clear();
    known.set(number, idJson);
  };

  return {
    remember,
    resolve: async (numbers, connection) => {
      const found = new Map<number, string>();
      const missing: number[] = [];
      for (const number of numbers) {
        const id = known.get(number);
        if (id === undefined) missing.push(number);
        else found.set(number, id);
      }
      for (const { label, first, count } of ranges) {
        const key = schema.nodeTables.find((table) => table.label === label)?.primaryKey.name ?? '';
        const wanted = missing.filter((number) => number >= first && number < first + count);
        for (let at = 0; at < wanted.length; at += MAX_AT_ONCE) {
          const list = wanted.slice(at, at + MAX_AT_ONCE).join(',');
          const text = `UNWIND [${list}] AS i MATCH (n) WHERE id(n) = i RETURN i, n.\`${key}\``;
          const reply = await connection.send(['GRAPH.RO_QUERY', GRAPH_KEY, text, '--compact'], (row) => {
            const [number, keyCell] = items(row).map(items);
            const id = nodeIdJson(label, encoder.encode(Number(keyCell?.[0]), keyCell?.[1] ?? null));
            found.set(Number(number?.[1]), id);
            remember(Number(number?.[1]), id);
          });
          if (isLeft(reply)) return reply;
        }
      }
      return right(found);
    },
  };
};
