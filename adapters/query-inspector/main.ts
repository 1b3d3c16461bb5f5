import { type Either, isLeft, left } from 'fp-ts/Either';
import { type EngineInspector, type QueryEngineError } from '../../domain/ports/query-engine';
import { createDuckdbQueryEngine, type DuckdbQueryEngine } from '../duckdb/duckdb-query-engine';
import {
  InspectorEnvironment,
  type InspectorNotice,
  type InspectorRequest,
  type InspectorResponse,
} from './inspector-protocol';

/** Calls have a time limit, in which a large new file cannot be read. */
const DECIDE_WITHIN_MS = 3_000;

/**
 * The query engine for calls of the control plane: a separate program, which receives calls over an IPC channel, exits
 * when the channel closes, and is killed on timeout.
 */
const open = (environment: InspectorEnvironment): Promise<Either<QueryEngineError, DuckdbQueryEngine>> =>
  createDuckdbQueryEngine({
    warehouseDirectory: environment.ROWGRAPH_WAREHOUSE_DIR,
    scratchDirectory: environment.ROWGRAPH_INSPECTOR_SCRATCH_DIR,
    decideWithinMs: DECIDE_WITHIN_MS,
    layoutDirectory: environment.ROWGRAPH_CSV_LAYOUT_DIR,
    memoryLimitMb: Number(environment.ROWGRAPH_INSPECTOR_MEMORY_MB),
    threads: 1,
    leftOut: () => Promise.resolve(leftOut),
    onOpening: (opening) => {
      if (process.connected) process.send?.({ opening } satisfies InspectorNotice);
    },
    hints: environment.ROWGRAPH_INSPECTOR_HINTS === 'on',
  });

/** The files that the current call leaves out. */
let leftOut: readonly string[] = [];

type Answer = InspectorResponse['result'];

const answersOf = (environment: InspectorEnvironment): ((request: InspectorRequest) => Promise<Answer>) => {
  let engine: EngineInspector | null = null;
  return async ({ name, parameters, ...request }) => {
    leftOut = request.leftOut;
    try {
      if (engine === null) {
        const opened = await open(environment);
        if (isLeft(opened)) return opened;
        engine = opened.right;
      }
      const calls = engine as unknown as Readonly<Record<string, (...given: unknown[]) => Promise<Answer>>>;
      return (
        (await calls[name]?.(...parameters)) ??
        left({ kind: 'query_failed', message: `unknown call ${name}`, canRetry: false })
      );
    } catch (error) {
      return left({
        kind: 'query_failed',
        message: error instanceof Error ? error.message : String(error),
        canRetry: false,
      });
    }
  };
};

const environment = InspectorEnvironment.decode(process.env);
if (isLeft(environment)) {
  process.stderr.write('This program is started by rowgraph; its environment is incomplete.\n');
  process.exit(1);
}
const answer = answersOf(environment.right);
process.on('message', (request: InspectorRequest) => {
  void answer(request).then((result) => {
    const response: InspectorResponse = { id: request.id, result };
    if (process.connected) process.send?.(response);
  });
});
process.on('disconnect', () => process.exit(0));
// The control plane ends this process; a Ctrl-C in its terminal reaches the whole process group.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
