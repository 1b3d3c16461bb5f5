import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type CallFailure } from '../engine-failure';
import { type ProcedureFailure, type ProcedureName, type ProcedureRun } from '../graph-engine';
import { type GraphProperty } from '../graph-schema';
import { items } from './connection';
import { type RunningServer } from './running-server';
import { PropertyWriter } from './write-nodes';

interface Procedure {
  readonly name: string;
  readonly yields: string;
  /** The parameters of a run by the names of the server's options. */
  readonly options: Readonly<Record<string, string>>;
}

const PROCEDURES: Readonly<Record<ProcedureName, Procedure>> = {
  betweenness: {
    name: 'algo.betweenness',
    yields: 'score',
    options: { samplingSize: 'sampling_size', samplingSeed: 'sampling_seed' },
  },
  wcc: { name: 'algo.WCC', yields: 'componentId', options: {} },
  cdlp: { name: 'algo.labelPropagation', yields: 'communityId', options: { maxIterations: 'max_iterations' } },
};

/** Number of nodes whose values are returned in one row, because the number of rows is limited. */
const NODES_IN_A_ROW = 10_000;

/** The result of an algorithm: ids of nodes with their values, as Cypher literals. */
export type FoundValues = readonly { readonly ids: readonly number[]; readonly values: readonly string[] }[];

/**
 * Runs an algorithm of the server. The server cannot interrupt an algorithm, so after its timeout or a cancellation,
 * the server is ended and restarted with its saved graph; other running queries are then retried once.
 */
export const runProcedure = async (
  server: RunningServer,
  run: ProcedureRun,
  signal: AbortSignal,
  endServer: (why: string) => void,
): Promise<Either<ProcedureFailure, FoundValues>> => {
  const { name, yields, options } = PROCEDURES[run.name];
  const found: FoundValues[number][] = [];
  const early: ProcedureFailure[] = [];
  const end = (failure: ProcedureFailure) => () => {
    early.push(failure);
    endServer(`ended because of a run: ${failure.kind}`);
  };
  const onAbort = end({ kind: 'cancelled' });
  if (signal.aborted) return left({ kind: 'cancelled' });
  const timer = setTimeout(end({ kind: 'timeout', timeoutMs: run.timeoutMs }), run.timeoutMs);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const text =
      `CALL ${name}(${argument(run, options)}) YIELD node, ${yields} WITH id(node) AS id, ${yields} AS value ` +
      `RETURN id / ${NODES_IN_A_ROW}, collect(id), collect(value)`;
    const answered = await server.run(text, (row) => {
      const [, ids, values] = items(row).map((cell) => items(items(cell)[1]).map((item) => items(item)[1] ?? null));
      found.push({ ids: (ids ?? []).map(Number), values: (values ?? []).map(String) });
    });
    return isLeft(answered) ? left(early[0] ?? answered.left) : right(found);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
};

/** Stores the result of an algorithm on the nodes; returns their number. */
export const storeFound = async (
  server: RunningServer,
  found: FoundValues,
  property: GraphProperty,
): Promise<Either<CallFailure, number>> => {
  const writer = new PropertyWriter(server, property);
  for (const { ids, values } of found) {
    for (const [place, id] of ids.entries()) {
      const added = await writer.add(id, values[place] ?? 'NULL');
      if (isLeft(added)) return added;
    }
  }
  return writer.end();
};

const argument = (
  { nodeLabels, relationshipTypes, parameters }: ProcedureRun,
  options: Procedure['options'],
): string => {
  const parts = Object.entries(options).flatMap(([option, name]) => {
    const value = parameters[name] ?? null;
    return value === null ? [] : [`${option}: ${value}`];
  });
  if (nodeLabels !== null) parts.push(`nodeLabels: [${nodeLabels.map(quoted).join(', ')}]`);
  if (relationshipTypes !== null) parts.push(`relationshipTypes: [${relationshipTypes.map(quoted).join(', ')}]`);
  return `{${parts.join(', ')}}`;
};

/** Labels and types consist of letters, digits and underscores: they were checked against the graph. */
const quoted = (name: string): string => `'${name}'`;
