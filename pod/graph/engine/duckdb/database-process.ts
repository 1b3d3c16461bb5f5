import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { launchProcess } from '../../../../adapters/system/launch-process';
import { programPath } from '../../../../adapters/system/package-root';
import { AnswerFault, type EngineFailure, reasonOf } from '../engine-failure';
import { type EngineProcess, engineProcess } from '../engine-process';
import { type OnSpawn } from '../engine-supervisor';
import { type CallMessage, type DatabaseCalls, type OpenMessage, type ReplyMessage } from './database-calls';

/** The process of a graph in DuckDB. Calls reject with `ProcessEnded` when it ends before it answers. */
export interface DatabaseProcess extends EngineProcess {
  readonly call: <Name extends keyof DatabaseCalls>(
    name: Name,
    ...parameters: Parameters<DatabaseCalls[Name]>
  ) => ReturnType<DatabaseCalls[Name]>;
}

/** The process ended; the message is the reason. */
export class ProcessEnded extends Error {}

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/**
 * For DuckDB's jemalloc, which otherwise keeps memory of ended queries beside that of the next ones for seconds. Without
 * a delay, small queries take 1.2 times as long.
 */
const RETURN_MEMORY = { DUCKDB_JE_MALLOC_CONF: 'dirty_decay_ms:20,muzzy_decay_ms:0' };

/** A process whose database is not open yet. */
type LaunchedDatabase = DatabaseProcess & { readonly open: (message: OpenMessage) => Promise<unknown> };

/** Starts the process. */
export const launchDatabase = (): Either<EngineFailure, LaunchedDatabase> => {
  const waiting = new Map<number, Waiting>();
  const launched = launchProcess({
    command: [process.execPath, programPath('pod/graph/engine/duckdb/database-main')],
    environment: { TZ: 'UTC', ...RETURN_MEMORY },
    channel: 'advanced',
    // Both ends share the protocol.
    onMessage: (message) => settle(waiting, message as ReplyMessage),
  });
  if (isLeft(launched)) return left({ kind: 'rejected', reason: launched.left.reason });
  const database = engineProcess(launched.right);
  let end: string | null = null;
  void database.ended.then((how) => {
    end = how;
    for (const { reject } of waiting.values()) reject(new ProcessEnded(how));
    waiting.clear();
  });
  const request = (call: number, message: OpenMessage | CallMessage): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (end !== null) return reject(new ProcessEnded(end));
      waiting.set(call, { resolve, reject });
      // If the write fails, the process has ended, which rejects the call.
      launched.right.send(message);
    });
  let calls = 0;
  const call: DatabaseProcess['call'] = (name, ...parameters) =>
    // Both ends share the protocol.
    request(++calls, { call: calls, name, parameters }) as ReturnType<DatabaseCalls[typeof name]>;
  return right({ ...database, call, open: (message) => request(0, message) });
};

/** Starts the process, unless it is launched already, and waits until its database is open. */
export const startDatabase = async (
  message: OpenMessage,
  onSpawn: OnSpawn,
  launched = launchDatabase(),
): Promise<Either<EngineFailure, DatabaseProcess>> => {
  if (isLeft(launched)) return launched;
  const { open, ...database } = launched.right;
  onSpawn(database);
  try {
    await open(message);
    return right(database);
  } catch (error) {
    return left({ kind: 'rejected', reason: reasonOf(error) });
  }
};

const settle = (waiting: Map<number, Waiting>, reply: ReplyMessage): void => {
  const { resolve, reject } = waiting.get(reply.call) ?? {};
  waiting.delete(reply.call);
  if ('error' in reply) reject?.(reply.isFault ? new AnswerFault(reply.error) : new Error(reply.error));
  else resolve?.(reply.value);
};
