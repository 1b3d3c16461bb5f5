import { EventStoreDBClient, FORWARDS, jsonEvent, NO_STREAM, START } from '@eventstore/db-client';
import { type NewEvent } from '../../domain/kernel/event';

/** The client of EventStoreDB without the adapter, to measure the overhead of the adapter. */
export interface BareClient {
  readonly append: (streamName: string, event: NewEvent) => Promise<void>;
  /** Reads the server's whole log in one call and resolves with the number of events. */
  readonly readEverything: () => Promise<number>;
  readonly close: () => Promise<void>;
}

export const createBareClient = (connectionString: string): BareClient => {
  const client = EventStoreDBClient.connectionString(connectionString);
  return {
    append: async (streamName, { id, type, schemaVersion, data, metadata }) => {
      const { correlationId: $correlationId, causationId: $causationId } = metadata;
      const event = jsonEvent({
        id,
        type,
        data: data as Record<string, unknown>,
        metadata: { ...metadata, $correlationId, $causationId, schemaVersion },
      });
      await client.appendToStream(streamName, event, { expectedRevision: NO_STREAM });
    },
    readEverything: async () => {
      let events = 0;
      for await (const { event } of client.readAll({ fromPosition: START, direction: FORWARDS }))
        events += event === undefined ? 0 : 1;
      return events;
    },
    close: () => client.dispose(),
  };
};
