import * as t from 'io-ts';

/** The background jobs by name. Each keeps its history in the stream `job-<name>`. */
export const JobName = t.keyof({
  reconciliation: null,
  lifecycle: null,
  export_reconciliation: null,
  schema_cache: null,
  resource_monitor: null,
});
export type JobName = t.TypeOf<typeof JobName>;
