import { setTimeout as wait } from 'node:timers/promises';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type CallFailure } from '../engine-failure';
import { type Connection } from './connection';
import { readNames } from './names';
import { createRowLimit, type WithoutRowLimit } from './row-limit';
import { items, type Reply, type RowSink } from './resp';
import { saveGraph } from './save-graph';
import { GRAPH_KEY, startServer, type ServerOptions, type ServerProcess } from './server-process';
import { type Names } from './value-encoder';

/** A server that answers, with the connections to it. */
export interface RunningServer extends ServerProcess {
  /** Sends a command on the connection for internal ones. */
  readonly send: Connection['send'];
  /** Runs a writing or internal statement. */
  readonly run: (text: string, onRow?: RowSink) => Promise<Either<CallFailure, Reply>>;
  /** The number in the only cell of an answer. */
  readonly count: (text: string) => Promise<Either<CallFailure, number>>;
  /** Lends a connection for one query; an open one is used again. */
  readonly lend: <A>(use: (connection: Connection) => Promise<A>) => Promise<A>;
  readonly withoutRowLimit: WithoutRowLimit;
  readonly names: () => Names;
  readonly refreshNames: () => Promise<void>;
  /** Writes the graph to its file while queries go on. */
  readonly save: () => Promise<Either<CallFailure, unknown>>;
}

const POLL_MS = 20;
const NO_NAMES: Names = { labels: [], types: [], properties: [] };

export const runServer = async (options: ServerOptions): Promise<Either<CallFailure, RunningServer>> => {
  const started = await startServer(options);
  if (isLeft(started)) return started;
  const main = await started.right.connect();
  const idle: Connection[] = [];
  let names = NO_NAMES;

  const run: RunningServer['run'] = (text, onRow) => main.send(['GRAPH.QUERY', GRAPH_KEY, text, '--compact'], onRow);
  const refreshNames = async (): Promise<void> => {
    names = await readNames(main);
  };

  // The server answers before it has read its saved graph.
  const ready = await whenLoaded(main);
  if (isLeft(ready)) return left({ kind: 'crashed', reason: ready.left.reason });
  const made = await run('RETURN 1');
  if (isLeft(made)) return made;
  await refreshNames();

  return right({
    ...started.right,
    send: main.send,
    run,
    withoutRowLimit: createRowLimit(started.right.connect, options.maxRows),
    names: () => names,
    refreshNames,
    count: async (text) => {
      let counted = 0;
      const reply = await run(text, (row) => {
        counted = Number(items(items(row)[0])[1]);
      });
      return isLeft(reply) ? reply : right(counted);
    },
    lend: async (use) => {
      const connection = idle.pop() ?? (await started.right.connect());
      try {
        return await use(connection);
      } finally {
        if (connection.isOpen()) idle.push(connection);
      }
    },
    save: () => saveGraph(main),
  });
};

const whenLoaded = async (connection: Connection): Promise<Either<CallFailure, void>> => {
  for (;;) {
    const reply = await connection.send(['PING']);
    if (!isLeft(reply)) return right(undefined);
    if (!reply.left.reason.startsWith('LOADING')) return reply;
    await wait(POLL_MS);
  }
};
