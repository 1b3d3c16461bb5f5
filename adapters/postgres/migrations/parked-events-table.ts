import { type Migration } from './migration';

/** Events a reader of the feed could not take in. Nothing ever wrote to the first shape of the table. */
export const parkedEvents: Migration = {
  id: 11,
  name: 'parked events',
  sql: `
DROP TABLE es.parked;
CREATE TABLE es.parked (
  reader text NOT NULL,
  version integer NOT NULL,
  epoch bigint NOT NULL,
  -- What is held back: the event's own stream, for the processes the stream of the process.
  stream_id text COLLATE "C" NOT NULL,
  position bigint NOT NULL,
  event_stream_id text COLLATE "C" NOT NULL,
  event_revision bigint NOT NULL,
  event_type text NOT NULL,
  -- Why it could not be taken in; null: it waits behind an earlier event of the stream.
  error text,
  attempts integer NOT NULL DEFAULT 0,
  parked_at timestamptz NOT NULL DEFAULT now(),
  last_failed_at timestamptz,
  PRIMARY KEY (reader, version, epoch, stream_id, position)
);

-- Counts what was taken in late, without the position moving.
ALTER TABLE es.subscriptions ADD COLUMN repairs bigint NOT NULL DEFAULT 0;
`,
};
