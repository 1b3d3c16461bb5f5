import { ANY, EventStoreDBClient, jsonEvent } from '@eventstore/db-client';

const PATIENCE_MS = 2_000;

/** Whether an append goes through; written to a stream that is nobody's. */
export const takesAppends = async (connectionString: string): Promise<boolean> => {
  const separator = connectionString.includes('?') ? '&' : '?';
  const client = EventStoreDBClient.connectionString(
    `${connectionString}${separator}maxDiscoverAttempts=1&nodePreference=leader`,
  );
  const event = jsonEvent({ type: 'probe', data: {} });
  const appending = client.appendToStream('probe', event, { expectedRevision: ANY }).then(
    () => true,
    () => false,
  );
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS, false);
  });
  try {
    return await Promise.race([appending, late]);
  } finally {
    clearTimeout(timer);
    await client.dispose();
  }
};
