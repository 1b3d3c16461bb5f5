import { isLeft } from 'fp-ts/Either';
import { type ApiClient } from './api-client';
import { ObjectList, PodObject } from './api-objects';
import { SYSTEM_LABEL } from './pod-manifest';

/** The error if another system has pods in the namespace; null also when the API server does not answer. */
export const foreignPodsError = async (api: ApiClient, namespace: string, system: string): Promise<string | null> => {
  const query = { labelSelector: `${SYSTEM_LABEL},${SYSTEM_LABEL}!=${system}`, limit: '1' };
  const request = { method: 'GET', path: `/api/v1/namespaces/${namespace}/pods`, query } as const;
  const listed = await api.call(request, ObjectList, new AbortController().signal);
  const [pod] = isLeft(listed) ? [] : listed.right.items.filter(PodObject.is);
  if (pod === undefined) return null;
  const { name, labels } = pod.metadata;
  const label = `${SYSTEM_LABEL}=${labels?.[SYSTEM_LABEL]}`;
  return `The namespace ${namespace} has pods of another rowgraph system (${name}, label ${label}; this one is ${system}). Each system needs a namespace of its own: set ROWGRAPH_KUBERNETES_NAMESPACE to another one, or, if that system is gone, remove its pods: kubectl -n ${namespace} delete pods -l ${label}`;
};
