import { isLeft, left, right } from 'fp-ts/Either';
import { type FieldsOf } from '../../../../domain/kernel/codecs';
import { type DomainError, domainError, notFound } from '../../../../domain/kernel/errors';
import { userNotFound } from '../../../../domain/user';
import { type AuditFilters, hasAuditTrail, listAuditTrail, withEventData } from '../../../../queries/audit-trail';
import { readCauseTree } from '../../../../queries/cause-tree';
import { readStanding } from '../../../../queries/standing';
import { mayReadHistory, type ReadableType } from '../../../../queries/visible-resources';
import { DEFAULT_PAGE_SIZE } from '../../kit';
import { readAfterLast } from '../as-of/as-of';
import { ofExportJob, ofInstance, ofSnapshot } from '../as-of/resource-streams';
import { type ApiCaller, type PublicHandlers, type ResourceDependencies } from '../public-dependencies';
import { type auditEndpoints, type filters } from './endpoints';

type AuditQuery = AuditFilters & FieldsOf<typeof filters>;

export const auditHandlers = (deps: ResourceDependencies): PublicHandlers<typeof auditEndpoints> => {
  const ofResource =
    (type: ReadableType) =>
    async ({ params: { id }, query, identity }: ResourceRequest) => {
      const mayRead = await mayReadHistory(deps.db, type, id, identity);
      return mayRead
        ? replyEvents(deps, { ...query, resource_type: type, resource_id: String(id) })
        : left(unknown(type, id));
    };

  const why =
    (type: ReadableType) =>
    async ({ params: { id }, identity }: Omit<ResourceRequest, 'query'>) => {
      if (!(await mayReadHistory(deps.db, type, id, identity))) return left(unknown(type, id));
      const tree = await readCauseTree(deps.db, deps.ports.ids, { type, id: String(id) });
      if (tree === null) return left(unknown(type, id));
      const now = await readStanding(deps.db, type, id);
      if (now.state !== 'deleted' || type === 'mapping') return right({ body: { ...now, tree } });
      const [resource, failure] = FAILURES[type];
      const failed = await readAfterLast(deps, resource(id), (then) => readStanding(then, type, id), failure);
      if (isLeft(failed)) return failed;
      return right({ body: { ...now, failed_step: failed.right?.failed_step ?? null, tree } });
    };

  return {
    listAuditEvents: ({ query }) => replyEvents(deps, query),
    listMappingAudit: ofResource('mapping'),
    listSnapshotAudit: ofResource('snapshot'),
    listInstanceAudit: ofResource('instance'),
    listExportJobAudit: ofResource('export_job'),

    explainMapping: why('mapping'),
    explainSnapshot: why('snapshot'),
    explainInstance: why('instance'),
    explainExportJob: why('export_job'),

    listUserAudit: async ({ params: { username }, query, identity }) => {
      if (identity.role === 'analyst' && identity.username !== username) {
        const details = { required_role: 'admin', your_role: identity.role };
        return left(domainError('FORBIDDEN', 'Analysts may read their own events only.', details));
      }
      if (!(await hasAuditTrail(deps.db, { type: 'user', id: username }))) return left(userNotFound(username));
      return replyEvents(deps, { ...query, resource_type: 'user', resource_id: username });
    },

    listConfigAudit: ({ query }) => replyEvents(deps, { ...query, resource_type: 'config' }),
  };
};

/** What can be deleted after a failure: its streams, and the event of the failure. */
const FAILURES = {
  snapshot: [ofSnapshot, 'SnapshotFailed'],
  instance: [ofInstance, 'InstanceFailed'],
  export_job: [ofExportJob, 'ExportJobFailed'],
} as const;

interface ResourceRequest {
  readonly params: { readonly id: number };
  readonly query: AuditQuery;
  readonly identity: ApiCaller;
}

const unknown = (type: ReadableType, id: number): DomainError<'RESOURCE_NOT_FOUND'> =>
  notFound(type.replace('_', ' '), id);

const replyEvents = async ({ db, ports: { store } }: ResourceDependencies, query: AuditQuery) => {
  const { cursor, limit = DEFAULT_PAGE_SIZE, include, ...wanted } = query;
  const { items, next } = await listAuditTrail(db, wanted, { cursor, limit });
  const events = include === undefined ? right(items) : await withEventData(store, items);
  if (isLeft(events)) return events;
  return right({ body: events.right, page: { next_cursor: next } });
};
