import { createEventStoreDbEventStore } from '../../../adapters/eventstoredb/eventstoredb-event-store';

/** The streams of tests on servers: `thing-…`. */
export const CATEGORY = 'thing';

const MIB = 1024 * 1024;

/** The event store under test on a server or a cluster. */
export const openStore = (
  { connectionString }: { readonly connectionString: string },
  options: { readonly prefix?: string; readonly timeoutMs?: number; readonly categories?: readonly string[] } = {},
) =>
  createEventStoreDbEventStore({
    connectionString,
    prefix: '',
    categories: [CATEGORY],
    timeoutMs: 8_000,
    maxAppendBytes: MIB,
    ...options,
  });
