import { type Migration } from './migration';

/** The states of an instance's progress as they were shown, so that a broken stream of them can go on. */
export const progressJournal: Migration = {
  id: 7,
  name: 'progress journal',
  sql: `
CREATE TABLE telemetry.progress_journal (
  instance_id bigint NOT NULL,
  seq bigint NOT NULL,
  view jsonb NOT NULL,
  recorded_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (instance_id, seq)
);
CREATE INDEX ON telemetry.progress_journal (recorded_at);
`,
};
