import { AuditedType } from '../../../../domain/audited-resource';
import { allEvents, type RowgraphEvent } from '../../../../domain/events';
import { fields, oneOf, optional, text } from '../../../../domain/kernel/codecs';
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
export const EventType = oneOf(...(Object.keys(allEvents) as RowgraphEvent['type'][]));
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
  include: optional(oneOf('data')),
};

const ofResource = { access: 'user', params: IdParams } as const;
const history = { ...ofResource, query: fields(filters), success: pages(AuditedEvent) } as const;
const why = { ...ofResource, success: data(WhyView) } as const;

export const auditEndpoints = {
  listAuditEvents: endpoint('GET /audit/events', {
    summary: 'All events, newest first: who changed what, when and why',
    access: 'admin',
    query: fields({
      ...filters,
      resource_type: optional(AuditedType),
      resource_id: optional(text({ min: 1, max: 300 })),
    }),
    success: pages(AuditedEvent),
  }),
  listMappingAudit: endpoint('GET /mappings/{id}/audit', {
    ...history,
    resource: 'mapping',
    summary: 'Events of a mapping, newest first',
  }),
  listSnapshotAudit: endpoint('GET /snapshots/{id}/audit', {
    ...history,
    resource: 'snapshot',
    summary: 'Events of a snapshot, newest first',
  }),
  listInstanceAudit: endpoint('GET /instances/{id}/audit', {
    ...history,
    resource: 'instance',
    summary: 'Events of an instance, newest first',
  }),
  listExportJobAudit: endpoint('GET /export-jobs/{id}/audit', {
    ...history,
    resource: 'export job',
    summary: 'Events of an export job, newest first',
  }),
  explainMapping: endpoint('GET /mappings/{id}/why', {
    ...why,
    resource: 'mapping',
    summary: 'Why a mapping is as it is: the tree of causes',
  }),
  explainSnapshot: endpoint('GET /snapshots/{id}/why', {
    ...why,
    resource: 'snapshot',
    summary: 'What a snapshot waits for, and why',
  }),
  explainInstance: endpoint('GET /instances/{id}/why', {
    ...why,
    resource: 'instance',
    summary: 'What an instance waits for, and why',
  }),
  explainExportJob: endpoint('GET /export-jobs/{id}/why', {
    ...why,
    resource: 'export job',
    summary: 'What an export job waits for, and why',
  }),
  listUserAudit: endpoint('GET /users/{username}/audit', {
    ...history,
    resource: 'user',
    params: fields({ username: PathText }),
    summary: 'Events of a user, newest first; analysts: their own',
    errors: ['FORBIDDEN'],
  }),
  listConfigAudit: endpoint('GET /config/audit', {
    summary: 'Changes of the configuration, newest first',
    access: 'ops',
    query: fields(filters),
    success: pages(AuditedEvent),
  }),
};
