/**
 * Log and read models may part: when one of two stores is restored alone, or a copy of the log is taken into use. So
 * every log has an id, and the read models know which one they follow. Both tables have at most one row.
 */
export const followedLogTables = `
-- The id of the log in es.events.
CREATE TABLE es.log_identity (
  only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
  log_id text NOT NULL
);

-- The log that the checkpoints in es.subscriptions are positions of, and a copy of it that has not ended yet.
CREATE TABLE es.followed_log (
  only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
  store text NOT NULL,
  log_id text NOT NULL,
  copy_store text,
  copy_log_id text,
  CHECK ((copy_store IS NULL) = (copy_log_id IS NULL))
);
`;
