/**
 * The categories of all streams of the log: every stream is called `<category>-<id>`, and no category has a `-`. What is
 * called otherwise in a store shared with others is not rowgraph's.
 */
export const STREAM_CATEGORIES = [
  'user',
  'user_bootstrap',
  'ops_guard',
  'api_keys',
  'config',
  'favorites',
  'mapping',
  'snapshot',
  'export_job',
  'instance',
  'capacity',
  'bulk_deletion',
  'test_cleanup',
  'job',
  'parked_events',
  'process_instance_startup',
  'process_snapshot_export',
] as const;
