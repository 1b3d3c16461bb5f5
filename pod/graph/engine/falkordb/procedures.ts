import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type ProcedureFailure, type ProcedureName, type ProcedureRun } from '../engine-procedures';
import { type RunningServer } from './running-server';

interface Procedure {
  readonly call: (run: ProcedureRun) => Either<string, string>;
  readonly yields: string;
}

const PROCEDURES: Readonly<Record<ProcedureName, Procedure>> = {
  pagerank: {
    yields: 'score',
    call: ({ nodeLabels, relationshipTypes }) => {
      const [label, otherLabel] = nodeLabels ?? [];
      const [type, otherType] = relationshipTypes ?? [];
      if (otherLabel !== undefined || otherType !== undefined) {
        return left('pagerank takes all labels or one, and all edge types or one.');
      }
      return right(`algo.pageRank(${nameOrNull(label)}, ${nameOrNull(type)})`);
    },
  },
  betweenness: {
    yields: 'score',
    call: (run) =>
      right(
        `algo.betweenness(${selection(run, {
          samplingSize: run.parameters['sampling_size'],
          samplingSeed: run.parameters['sampling_seed'],
        })})`,
      ),
  },
  wcc: { yields: 'componentId', call: (run) => right(`algo.WCC(${selection(run, {})})`) },
  cdlp: {
    yields: 'communityId',
    call: (run) =>
      right(`algo.labelPropagation(${selection(run, { maxIterations: run.parameters['max_iterations'] })})`),
  },
};

/**
 * Runs an algorithm of the server, and stores its values on the nodes in the same statement: all of them or none. The
 * server cannot stop one, so at the end of its time, or when it is cancelled, the server ends and starts again with
 * its saved graph; other queries in flight fail then.
 */
export const runProcedure = async (
  server: RunningServer,
  run: ProcedureRun,
  signal: AbortSignal,
): Promise<Either<ProcedureFailure, number>> => {
  const { call, yields } = PROCEDURES[run.name];
  const text = call(run);
  if (isLeft(text)) return left({ kind: 'rejected', reason: text.left });
  const store = run.property === null ? '' : `SET node.\`${run.property.name}\` = ${yields} `;
  const early: ProcedureFailure[] = [];
  const end = (failure: ProcedureFailure) => () => {
    early.push(failure);
    server.kill();
  };
  const onAbort = end({ kind: 'cancelled' });
  if (signal.aborted) return left({ kind: 'cancelled' });
  const timer = setTimeout(end({ kind: 'timeout', timeoutMs: run.timeoutMs }), run.timeoutMs);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const counted = await server.count(`CALL ${text.right} YIELD node, ${yields} ${store}RETURN count(node)`);
    return isLeft(counted) ? left(early[0] ?? counted.left) : counted;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
};

const selection = (
  { nodeLabels, relationshipTypes }: ProcedureRun,
  more: Readonly<Record<string, number | null | undefined>>,
): string => {
  const parts = Object.entries(more).flatMap(([name, value]) => (value == null ? [] : [`${name}: ${value}`]));
  if (nodeLabels !== null) parts.push(`nodeLabels: [${nodeLabels.map(quoted).join(', ')}]`);
  if (relationshipTypes !== null) parts.push(`relationshipTypes: [${relationshipTypes.map(quoted).join(', ')}]`);
  return `{${parts.join(', ')}}`;
};

/** Labels and types are letters, digits and underscores: they have been checked against the graph. */
const quoted = (name: string): string => `'${name}'`;

const nameOrNull = (name: string | undefined): string => (name === undefined ? 'NULL' : quoted(name));
