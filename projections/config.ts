import { type EventMetadata } from '../domain/kernel/event';
import { type Projection, type TableWriter } from './projection';

/** One row per configured part, with the unchanged data of its event. */
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
    LifecycleConfigured: ({ data, metadata }, tables) => set(tables, 'lifecycle', data, metadata),
    ConcurrencyConfigured: ({ data, metadata }, tables) => set(tables, 'concurrency', data, metadata),
    MaintenanceConfigured: ({ data, metadata }, tables) => set(tables, 'maintenance', data, metadata),
    ExportConfigured: ({ data, metadata }, tables) => set(tables, 'export', data, metadata),
  },
};

const set = (
  tables: TableWriter,
  section: string,
  value: unknown,
  { occurredAt, actor }: EventMetadata,
): Promise<void> =>
  tables.sql(
    `INSERT INTO config (section, value, updated_at, updated_by) VALUES ($1, $2, $3, $4)
     ON CONFLICT (section) DO UPDATE SET value = $2, updated_at = $3, updated_by = $4`,
    [section, JSON.stringify(value), occurredAt, actor],
  );
