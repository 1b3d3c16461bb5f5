import { type EventStoreSettings } from './event-store-settings';

/** Where the log is, for people: without user and password. */
export const logName = (settings: EventStoreSettings): string =>
  settings.kind === 'postgres'
    ? 'PostgreSQL'
    : `EventStoreDB at ${settings.address}${settings.prefix === '' ? '' : `, prefix ${settings.prefix}`}`;
