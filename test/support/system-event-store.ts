import { randomBytes } from 'node:crypto';

/** The address of the server of this run, known to the process that set it up and to its workers. */
export const EVENT_STORE_URL_VARIABLE = 'EVENT_STORE_URL_OF_TESTS';

/** Whether `EVENT_STORE=eventstoredb` asks for systems whose log is in EventStoreDB. */
export const isEventStoreDbWanted = (): boolean => process.env['EVENT_STORE'] === 'eventstoredb';

/** The settings of a system, or of several that share it, with a separate log if the run requires one. */
export const settingsOfOwnLog = (): Readonly<Record<string, string>> => {
  const url = process.env[EVENT_STORE_URL_VARIABLE];
  return url === undefined ? {} : settingsOfLogOn(url);
};

/** The settings of a system with a log of its own on an EventStoreDB. */
export const settingsOfLogOn = (url: string): Readonly<Record<string, string>> => ({
  ROWGRAPH_EVENT_STORE: 'eventstoredb',
  ROWGRAPH_EVENT_STORE_URL: url,
  ROWGRAPH_EVENT_STORE_PREFIX: `test${randomBytes(6).toString('hex')}_`,
});
