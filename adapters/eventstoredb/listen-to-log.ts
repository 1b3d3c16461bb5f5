import { type Either, left } from 'fp-ts/Either';
import { retry } from '../system/retry';
import { type Connection } from './connection';
import { type LogPlace } from './log-client';

/**
 * Calls `onEvent` for every event of the streams with these prefixes, and after every reconnection, until `signal`
 * aborts. A subscription that ends is opened again with increasing pauses. It only shortens waiting: readers read
 * pages.
 */
export const listenToLog = async (
  connection: Connection,
  options: {
    readonly prefixes: readonly string[];
    readonly signal: AbortSignal;
    /** Receives the place of an event; null: any number of new events may exist. */
    readonly onEvent: (place: LogPlace | null) => void;
    readonly log: (message: string) => void;
  },
): Promise<void> => {
  const { prefixes, signal, onEvent, log } = options;
  const listen = async (): Promise<Either<string, never>> => {
    try {
      await connection.run((client) => client.listen(prefixes, onEvent, signal));
      return left('it ended');
    } catch (error) {
      return left(String(error));
    }
  };
  const onFailure = (reason: string): void =>
    log(`Lost the subscription to the log of EventStoreDB, subscribing again: ${reason}`);
  await retry(listen, { pausesMs: [100, 2_000], hasJitter: true, signal, onFailure });
};
