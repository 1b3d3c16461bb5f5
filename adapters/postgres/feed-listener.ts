import { type Either, left } from 'fp-ts/Either';
import { Client } from 'pg';
import { type Position } from '../../domain/kernel/event';
import { retry } from '../system/retry';
import { toPosition } from './event-reader';
import { connectionTo } from './connection';

/** Called with the position of the last appended event; without: there may be new events. */
type OnAppended = (position?: Position) => void;

/**
 * Receives notifications of appends of all processes through `LISTEN`, on a dedicated connection that is reopened when
 * lost, until `signal` aborts. Also calls `onAppended` after every connect, since notifications may have been missed.
 * It only reduces latency: readers poll as well. Resolves when it has stopped.
 */
export const listenForAppends = async (
  connectionString: string,
  signal: AbortSignal,
  onAppended: OnAppended,
  log: (message: string) => void,
): Promise<void> => {
  const listen = async (): Promise<Either<string, never>> =>
    left(await listenOnce(connectionString, signal, onAppended));
  const onFailure = (reason: string): boolean => {
    log(`Lost the connection that listens for appends, connecting again: ${reason}`);
    return true;
  };
  await retry(listen, { firstPauseMs: 100, maxPauseMs: 2_000, signal, onFailure });
};

/** Resolves with the reason when the connection has ended. */
const listenOnce = async (connectionString: string, signal: AbortSignal, onAppended: OnAppended): Promise<string> => {
  if (signal.aborted) return 'stopped';
  const client = new Client({
    ...connectionTo(connectionString),
    application_name: 'rowgraph-listener',
  });
  const lost = new Promise<string>((resolve) => {
    client.on('error', (error) => resolve(String(error)));
    client.on('end', () => resolve('it was closed'));
  });
  client.on('notification', ({ payload }) => onAppended(payload ? toPosition(payload) : undefined));
  const listening = async (): Promise<void> => {
    await client.connect();
    await client.query('LISTEN es_events');
    onAppended();
  };
  const stop = (): void => void client.end();
  signal.addEventListener('abort', stop);
  try {
    // The driver never settles a connect that is ended before it completes.
    await Promise.race([listening(), lost]);
    return await lost;
  } catch (error) {
    return String(error);
  } finally {
    signal.removeEventListener('abort', stop);
    await client.end().catch(() => undefined);
  }
};
