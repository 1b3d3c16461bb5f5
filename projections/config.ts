import { type EventMetadata } from '../domain/kernel/event';
import { type Projection, type Sql } from './projection';

/** One row per part of the configuration that was ever set, with the event's data as it is. */
export const configProjection: Projection = {
  name: 'config',
  version: 1,
  tables: `
    CREATE TABLE config (
      section text PRIMARY KEY,
      value jsonb NOT NULL,
      updated_at timestamptz NOT NULL,
      updated_by text NOT NULL
    );`,
  exposes: ['config'],
  on: {
    LifecycleConfigured: ({ data, metadata }, sql) => set(sql, 'lifecycle', data, metadata),
    ConcurrencyConfigured: ({ data, metadata }, sql) => set(sql, 'concurrency', data, metadata),
    MaintenanceConfigured: ({ data, metadata }, sql) => set(sql, 'maintenance', data, metadata),
    ExportConfigured: ({ data, metadata }, sql) => set(sql, 'export', data, metadata),
  },
};

const set = (sql: Sql, section: string, value: unknown, { occurredAt, actor }: EventMetadata): Promise<void> =>
  sql(
    `INSERT INTO config (section, value, updated_at, updated_by) VALUES ($1, $2, $3, $4)
     ON CONFLICT (section) DO UPDATE SET value = $2, updated_at = $3, updated_by = $4`,
    [section, JSON.stringify(value), occurredAt, actor],
  );
