/**
 * The holder of the lease of the background jobs, and the times of their last and next runs. Their history is in the
 * streams `job-<name>`.
 */
export const jobTables = `
CREATE TABLE es.leases (
  name text PRIMARY KEY,
  owner text NOT NULL,
  -- Rises whenever the lease is taken.
  epoch bigint NOT NULL,
  until timestamptz NOT NULL,
  -- Since when it is held without a break.
  since timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE es.job_progress (
  job_name text PRIMARY KEY,
  running_since timestamptz,
  last_started_at timestamptz,
  last_success_at timestamptz,
  next_run_at timestamptz
);

-- The latest runs of each job.
CREATE TABLE es.job_runs (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  job_name text NOT NULL,
  started_at timestamptz NOT NULL,
  ended_at timestamptz NOT NULL,
  triggered_by text,
  result jsonb,
  error jsonb
);
CREATE INDEX ON es.job_runs (job_name, id);
`;
