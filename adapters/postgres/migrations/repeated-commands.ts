import { type Migration } from './migration';

/** What makes a repeated request the same command: its id is kept with the key, and so are the ids it was given. */
export const repeatedCommands: Migration = {
  id: 10,
  name: 'repeated commands',
  sql: `
ALTER TABLE es.idempotency
  ADD COLUMN command_id uuid NOT NULL DEFAULT gen_random_uuid(),
  ADD COLUMN held_at timestamptz NOT NULL DEFAULT now();
CREATE TABLE es.command_ids (
  command_id uuid NOT NULL,
  kind text NOT NULL,
  ids bigint[] NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (command_id, kind)
);
CREATE INDEX command_ids_by_age ON es.command_ids (created_at);
`,
};
