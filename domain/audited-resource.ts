import type * as t from 'io-ts';
import { type RowgraphEvent, type StreamCategory } from './events';
import { oneOf } from './kernel/codecs';
import { type StoredEvent } from './kernel/event';

/** The kinds of resources in the audit trail. */
export const AuditedType = oneOf(
  'mapping',
  'snapshot',
  'instance',
  'export_job',
  'user',
  'config',
  'favorites',
  'job',
  'capacity',
  'process',
  'bulk_deletion',
  'log',
);
export type AuditedType = t.TypeOf<typeof AuditedType>;

/** The kind of resource that the streams of a category belong to. */
const TYPE_OF: Readonly<Record<StreamCategory, AuditedType>> = {
  user: 'user',
  user_bootstrap: 'user',
  ops_guard: 'user',
  api_keys: 'user',
  saved_queries: 'user',
  access_tokens: 'instance',
  config: 'config',
  favorites: 'favorites',
  mapping: 'mapping',
  snapshot: 'snapshot',
  export_job: 'export_job',
  instance: 'instance',
  capacity: 'capacity',
  bulk_deletion: 'bulk_deletion',
  test_cleanup: 'bulk_deletion',
  job: 'job',
  parked_events: 'log',
  seals: 'log',
  process_instance_startup: 'process',
  process_snapshot_export: 'process',
};

/** A resource, as the audit trail names it. */
export interface AuditedResource {
  readonly type: AuditedType;
  readonly id: string;
}

/** The resource that an event belongs to. A user's is the one that the event names, a process's has its name in the id. */
export const auditedResource = ({ streamId, data }: StoredEvent<RowgraphEvent>): AuditedResource => {
  const dash = streamId.indexOf('-');
  const category = streamId.slice(0, dash);
  const type = isCategory(category) ? TYPE_OF[category] : 'log';
  if (type === 'process') return { type, id: streamId.slice('process_'.length) };
  return { type, id: type === 'user' && 'username' in data ? data.username : streamId.slice(dash + 1) };
};

const isCategory = (category: string): category is StreamCategory => Object.hasOwn(TYPE_OF, category);
