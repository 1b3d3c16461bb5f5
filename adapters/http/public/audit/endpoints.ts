import * as t from 'io-ts';
import { AuditedType } from '../../../../domain/audited-resource';
import { allEvents, type RowgraphEvent } from '../../../../domain/events';
import { fields, optional, text } from '../../../../domain/kernel/codecs';
import { AuditedEvent, AuditedRole } from '../../../../queries/views/audit';
import { WhyView } from '../../../../queries/views/why';
import { data, endpoint, IdParams, pageFields, pages, PathText, QueryTimestamp } from '../../kit';

/** The fields of an event in the audit trail. */
export const AUDIT_FIELDS = Object.keys(AuditedEvent.props);

/** The end of a page: the time of its last row in milliseconds, and its position. */
const PageCursor = text({
  min: 3,
  max: 40,
  pattern: { regexp: /^\d{1,14}-\d{1,18}$/, words: 'must be the next_cursor of the page before' },
});

// The keys are those of the catalogue, which the compiler cannot infer.
const eventTypes = Object.fromEntries(Object.keys(allEvents).map((type) => [type, null])) as Record<
  RowgraphEvent['type'],
  null
>;

export const EventType = t.keyof(eventTypes);
export { AuditedRole };

export const filters = {
  actor: optional(text({ min: 1, max: 300 })),
  role: optional(AuditedRole),
  type: optional(EventType),
  correlation_id: optional(text({ min: 1, max: 300 })),
  from: optional(QueryTimestamp),
  to: optional(QueryTimestamp),
  limit: pageFields.limit,
  cursor: optional(PageCursor),
  /** `data`: the data of the events, too. */
  include: optional(t.keyof({ data: null })),
};

const ofResource = (path: string, resource: string) =>
  ({
    method: 'GET',
    path: `/${path}/{id}/audit`,
    access: 'user',
    resource,
    params: IdParams,
    query: fields(filters),
    success: pages(AuditedEvent),
  }) as const;

const whyOf = (path: string, resource: string) =>
  ({
    method: 'GET',
    path: `/${path}/{id}/why`,
    access: 'user',
    resource,
    params: IdParams,
    success: data(WhyView),
  }) as const;

export const auditEndpoints = {
  listAuditEvents: endpoint({
    method: 'GET',
    path: '/audit/events',
    summary: 'All events, newest first: who changed what, when and why',
    access: 'admin',
    query: fields({
      ...filters,
      resource_type: optional(AuditedType),
      resource_id: optional(text({ min: 1, max: 300 })),
    }),
    success: pages(AuditedEvent),
  }),
  listMappingAudit: endpoint({ ...ofResource('mappings', 'mapping'), summary: 'Events of a mapping, newest first' }),
  listSnapshotAudit: endpoint({
    ...ofResource('snapshots', 'snapshot'),
    summary: 'Events of a snapshot, newest first',
  }),
  listInstanceAudit: endpoint({
    ...ofResource('instances', 'instance'),
    summary: 'Events of an instance, newest first',
  }),
  listExportJobAudit: endpoint({
    ...ofResource('export-jobs', 'export job'),
    summary: 'Events of an export job, newest first',
  }),
  explainMapping: endpoint({
    ...whyOf('mappings', 'mapping'),
    summary: 'Why a mapping is as it is: the tree of causes',
  }),
  explainSnapshot: endpoint({ ...whyOf('snapshots', 'snapshot'), summary: 'What a snapshot waits for, and why' }),
  explainInstance: endpoint({ ...whyOf('instances', 'instance'), summary: 'What an instance waits for, and why' }),
  explainExportJob: endpoint({
    ...whyOf('export-jobs', 'export job'),
    summary: 'What an export job waits for, and why',
  }),
  listUserAudit: endpoint({
    method: 'GET',
    path: '/users/{username}/audit',
    summary: 'Events of a user, newest first; analysts: their own',
    access: 'user',
    resource: 'user',
    params: fields({ username: PathText }),
    query: fields(filters),
    success: pages(AuditedEvent),
    errors: ['FORBIDDEN'],
  }),
  listConfigAudit: endpoint({
    method: 'GET',
    path: '/config/audit',
    summary: 'Changes of the configuration, newest first',
    access: 'ops',
    query: fields(filters),
    success: pages(AuditedEvent),
  }),
};
