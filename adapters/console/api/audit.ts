export { AuditedType } from '../../client/web';
import { type ApiClient } from '../../client/web';
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
  useData(['why', id], (api, signal) => api.explainInstance({ params: { id }, signal }));

/** The events of an instance, newest first. */
export const useHistory = (id: number) =>
  useAnswer(['history', id], (api, signal) => api.listInstanceAudit({ params: { id }, signal }));
