import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';

const LONGEST_PAUSE_MS = 2_000;

/**
 * Hears of appends of any process through `LISTEN`, on a connection of its own that it opens again whenever it is
 * lost, until `signal` aborts. Calls `onNews` after every connect as well, since something may have been missed. Only
 * saves waiting: readers poll besides. Resolves when it has stopped.
 */
export const listenForAppends = async (
  connectionString: string,
  signal: AbortSignal,
  onNews: () => void,
  log: (message: string) => void,
): Promise<void> => {
  let pauseMs = 50;
  const listening = (): void => {
    pauseMs = 50;
    onNews();
  };
  for (;;) {
    const reason = await listenOnce(connectionString, signal, listening);
    if (signal.aborted) return;
    log(`Lost the connection that listens for appends, connecting again: ${reason}`);
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
  }
};

/** Resolves with the reason when the connection has ended. */
const listenOnce = async (connectionString: string, signal: AbortSignal, onNews: () => void): Promise<string> => {
  if (signal.aborted) return 'stopped';
  const client = new Client({
    connectionString,
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
    application_name: 'rowgraph-listener',
  });
  const lost = new Promise<string>((resolve) => {
    client.on('error', (error) => resolve(String(error)));
    client.on('end', () => resolve('it was closed'));
  });
  client.on('notification', onNews);
  const listening = async (): Promise<void> => {
    await client.connect();
    await client.query('LISTEN es_events');
    onNews();
  };
  const stop = (): void => void client.end();
  signal.addEventListener('abort', stop);
  try {
    // The driver never settles a connect that is ended half-way.
    await Promise.race([listening(), lost]);
    return await lost;
  } catch (error) {
    return String(error);
  } finally {
    signal.removeEventListener('abort', stop);
    await client.end().catch(() => undefined);
  }
};
