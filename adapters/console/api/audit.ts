export { AuditedRole, AuditedType, EventType } from '../../client/web';
import { isLeft, right } from 'fp-ts/Either';
import { type ApiClient } from '../../client/web';
import { causesOfEvent, EXPLAINED_BY, explainedResource } from './causes-of-event';
import { type Data, KEEP_PREVIOUS, useAnswer, useData } from './use-answer';

export type AuditedEvent = Data<'listAuditEvents'>[number];
export type Causes = Data<'explainInstance'>['tree'];
export type AuditQuery = NonNullable<NonNullable<Parameters<ApiClient['listAuditEvents']>[0]>['query']>;

/** A page of the audit trail with the data of the events. */
export const useAuditTrail = (query: AuditQuery) =>
  useAnswer(
    ['audit', query],
    (api, signal) => api.listAuditEvents({ query: { ...query, include: 'data' }, signal }),
    KEEP_PREVIOUS,
  );

/** Why an instance is in its state: what it waits for, and the tree of causes. */
export const useCauses = (id: number) =>
  useData(['why', 'instance', id], (api, signal) => api.explainInstance({ params: { id }, signal }));

/** The causes of an event, from the request on; empty for an event that a request alone caused. */
export const useCausesOf = (event: AuditedEvent) => {
  const resource = explainedResource(event);
  return useData<readonly Causes[]>(['causes', event.event_id], async (api, signal) => {
    if (resource === null) return right({ data: [] });
    const { type, id } = resource;
    const why = await api[EXPLAINED_BY[type]]({ params: { id }, signal });
    return isLeft(why) ? why : right({ data: causesOfEvent(why.right.data.tree, event.event_id) });
  });
};

const HISTORY_OF = { graph: 'listInstanceAudit', mapping: 'listMappingAudit' } as const;

/** A page of the events of a graph or mapping with their data, newest first. */
export const useHistory = (of: keyof typeof HISTORY_OF, id: number, cursor: string | undefined) =>
  useAnswer(
    ['history', of, id, cursor],
    (api, signal) => api[HISTORY_OF[of]]({ params: { id }, query: { include: 'data', cursor }, signal }),
    KEEP_PREVIOUS,
  );
