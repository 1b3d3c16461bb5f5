import '../../../libuv-threads';
import { writeFile } from 'node:fs/promises';
import { AnswerFault, reasonOf } from '../engine-failure';
import { type CallMessage, type DatabaseCalls, type OpenMessage, type ReplyMessage } from './database-calls';
import { openDatabase } from './open-database';

/** The process of a graph in DuckDB: opens its database and answers calls until it is ended. */
let opening: Promise<DatabaseCalls> | null = null;

/** When memory runs out, it is killed before its pod, which starts another one. */
const beKilledFirst = (): Promise<void> => writeFile('/proc/self/oom_score_adj', '500').catch(() => undefined);

const reply = async (call: number, outcome: Promise<unknown>): Promise<void> => {
  const message = await outcome.then(
    (value): ReplyMessage => ({ call, value }),
    (error: unknown): ReplyMessage => ({ call, error: reasonOf(error), isFault: error instanceof AnswerFault }),
  );
  process.send?.(message);
};

const called = async ({ name, parameters }: CallMessage): Promise<unknown> => {
  // Both ends share the protocol.
  const calls = (await opening) as Record<
    keyof DatabaseCalls,
    (...values: readonly unknown[]) => Promise<unknown>
  > | null;
  return calls?.[name](...parameters);
};

process.on('message', (message: OpenMessage | CallMessage) => {
  if ('call' in message) return void reply(message.call, called(message));
  opening = beKilledFirst().then(() => openDatabase(message));
  void reply(
    0,
    opening.then(() => undefined),
  );
});
