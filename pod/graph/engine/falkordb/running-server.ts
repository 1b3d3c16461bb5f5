import { setTimeout as wait } from 'node:timers/promises';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type CallFailure } from '../engine-failure';
import { type Connection } from './connection';
import { items, type Reply, type RowSink, textOf } from './resp';
import { saveGraph } from './save-graph';
import { GRAPH_KEY, startServer, type ServerOptions, type ServerProcess } from './server-process';
import { type Names } from './value-encoder';

/** Runs an action while the server computes all rows of every query. */
type WithoutRowLimit = <A>(use: () => Promise<A>) => Promise<A>;

/** A server that answers, with the connections to it. */
export interface RunningServer extends ServerProcess {
  /** Sends a command on the connection for internal ones. */
  readonly send: Connection['send'];
  /** Runs a writing or internal statement. */
  readonly run: (text: string, onRow?: RowSink) => Promise<Either<CallFailure, Reply>>;
  /** The number in the only cell of an answer. */
  readonly count: (text: string) => Promise<Either<CallFailure, number>>;
  /** A connection for one query, which has to be released. */
  readonly borrow: () => Promise<Connection>;
  /** Keeps a connection for the next query, when it is still open. */
  readonly release: (connection: Connection) => void;
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
    borrow: async () => idle.pop() ?? started.right.connect(),
    release: (connection) => {
      if (!connection.isOpen()) return;
      connection.resume();
      idle.push(connection);
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

/** Reads the names answers refer to by number. Throws when the server does not answer. */
const readNames = async (connection: Connection): Promise<Names> => ({
  labels: await column(connection, 'CALL db.labels()'),
  types: await column(connection, 'CALL db.relationshipTypes()'),
  properties: await column(connection, 'CALL db.propertyKeys()'),
});

/** The texts of the first column of an answer, in order. */
const column = async (connection: Connection, text: string): Promise<readonly string[]> => {
  const names: string[] = [];
  const reply = await connection.send(['GRAPH.RO_QUERY', GRAPH_KEY, text, '--compact'], (row) => {
    names.push(textOf(items(items(row)[0])[1]));
  });
  if (isLeft(reply)) throw new Error(reply.left.reason);
  return names;
};

/**
 * The server's limit of rows is one for all queries, so beside an export others may compute more rows than they answer.
 * Changes of it follow each other, each on a connection of its own: another may be busy for long. Throws when the limit
 * cannot be lifted.
 */
const createRowLimit = (connect: () => Promise<Connection>, usualLimit: number): WithoutRowLimit => {
  let users = 0;
  let changed: Promise<unknown> = Promise.resolve();
  const change = (rows: number): Promise<Either<CallFailure, unknown>> => {
    const next = changed.then(async () => {
      const connection = await connect();
      const reply = await connection.send(['GRAPH.CONFIG', 'SET', 'RESULTSET_SIZE', String(rows)]);
      connection.close();
      return reply;
    });
    changed = next.catch(() => undefined);
    return next;
  };
  return async (use) => {
    users++;
    try {
      const lifted = await change(-1);
      if (isLeft(lifted)) throw new Error(`The server keeps its limit of rows: ${lifted.left.reason}`);
      return await use();
    } finally {
      users--;
      if (users === 0) void change(usualLimit).catch(() => undefined);
    }
  };
};
