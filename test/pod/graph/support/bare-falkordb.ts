import { isLeft } from 'fp-ts/Either';
import { items, openConnection, type Reply } from '../../../../pod/graph/engine/falkordb/connection';
import { parameterLine } from '../../../../pod/graph/engine/falkordb/parameter-line';
import { GRAPH_KEY } from '../../../../pod/graph/engine/falkordb/running-server';
import { ID_MARKS, ValueEncoder } from '../../../../pod/graph/engine/falkordb/value-encoder';
import { type GraphEngine } from '../../../../pod/graph/engine/graph-engine';
import { EMPTY_SCHEMA } from '../../../../pod/graph/engine/graph-schema';
import { right } from './loaded-engine';

/** Direct access to the server of a running engine: texts are sent unchanged. */
export interface BareFalkordb {
  /** The rows of a reading statement; its error as text. */
  readonly read: (text: string, parameters?: Readonly<Record<string, unknown>>) => Promise<unknown[][] | string>;
  readonly write: (text: string) => Promise<void>;
  readonly close: () => void;
}

export const bareFalkordb = async (engine: GraphEngine): Promise<BareFalkordb> => {
  const connection = await openConnection(`/proc/${engine.processIds()[0]}/cwd/engine.sock`);
  const encoder = new ValueEncoder(EMPTY_SCHEMA, () => ({ labels: [], types: [], properties: [] }));
  const cellOf = (cell: Reply): unknown => {
    const [type, value] = items(cell);
    return JSON.parse(encoder.encode(Number(type), value ?? null).replace(ID_MARKS, '$1'));
  };
  return {
    read: async (text, parameters = {}) => {
      const line = right(parameterLine(Object.keys(parameters), parameters));
      const reply = await connection.send(['GRAPH.RO_QUERY', GRAPH_KEY, line + text, '--compact']);
      if (isLeft(reply)) return reply.left.reason;
      return items(items(reply.right)[1]).map((row) => items(row).map(cellOf));
    },
    write: async (text) => {
      right(await connection.send(['GRAPH.QUERY', GRAPH_KEY, text]));
    },
    close: () => connection.close(),
  };
};
