import { type Projection } from './projection';

/** The newest seal of the log, in one row. */
export const sealsProjection: Projection = {
  name: 'seals',
  version: 1,
  tables: `
    CREATE TABLE newest_seal (
      name text PRIMARY KEY,
      number bigint NOT NULL,
      hash text NOT NULL,
      last_event_id text NOT NULL,
      sealed_at timestamptz NOT NULL
    );`,
  exposes: ['newest_seal'],
  on: {
    LogSealed: ({ streamId, revision, data: { hash, lastEventId }, metadata: { occurredAt } }, tables) =>
      tables.sql(
        `INSERT INTO newest_seal (name, number, hash, last_event_id, sealed_at) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (name) DO UPDATE SET number = $2, hash = $3, last_event_id = $4, sealed_at = $5`,
        [streamId, revision + 1, hash, lastEventId, occurredAt],
      ),
  },
};
