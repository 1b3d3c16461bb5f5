import * as t from 'io-ts';
import { endpoint, IdParams } from '../../kit';
import { nullableNumber, nullableText } from '../codecs';
import { InstanceStatus } from '../instance/endpoints';

export const SnapshotStatus = t.keyof({ pending: null, creating: null, ready: null, failed: null });

export const InstanceOfSnapshot = t.strict({ id: t.number, name: t.string, status: InstanceStatus });

const Counts = t.record(t.string, t.number);

export const snapshotFields = {
  id: t.number,
  mapping_id: t.number,
  mapping_name: t.string,
  mapping_version: t.number,
  owner_username: t.string,
  name: t.string,
  description: t.string,
  storage_path: t.string,
  size_bytes: nullableNumber,
  node_counts: Counts,
  edge_counts: Counts,
  status: SnapshotStatus,
  progress: t.union([
    t.strict({ phase: nullableText, current_step: nullableText, completed_steps: t.number, total_steps: t.number }),
    t.null,
  ]),
  error_message: nullableText,
  failed_step: nullableText,
  created_at: t.string,
  updated_at: t.string,
  ttl: nullableText,
  inactivity_timeout: t.string,
};

export const snapshotEndpoints = {
  getSnapshot: endpoint({
    method: 'GET',
    path: '/snapshots/{id}',
    summary: 'One snapshot, for finding errors; snapshots are made by POST /instances',
    access: 'user',
    resource: 'snapshot',
    params: IdParams,
    success: {
      status: 200,
      shape: 'data',
      body: t.strict({
        ...snapshotFields,
        last_used_at: nullableText,
        instances: t.readonlyArray(InstanceOfSnapshot),
      }),
    },
    errors: ['RESOURCE_NOT_FOUND'],
  }),
};
