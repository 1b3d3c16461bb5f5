import { failureOf, runtimeErrorOf } from '../../../adapters/kubernetes/api-failure';

const errorOf = (statusCode: number, status: object | string, headers: Record<string, string> = {}) =>
  runtimeErrorOf(failureOf({ statusCode, headers }, typeof status === 'string' ? status : JSON.stringify(status)));

// Messages as Kubernetes 1.35.4 sent them.
it.each([
  [
    'a missing permission, by verb and resource',
    403,
    'pods "graph-x-1" is forbidden: User "system:serviceaccount:graphs:rowgraph" cannot patch resource "pods" in API group "" in the namespace "graphs"',
    'unavailable',
    'the Kubernetes account system:serviceaccount:graphs:rowgraph lacks the permission: verb patch, resource pods in the namespace graphs; apply deploy/kubernetes/rbac.yaml',
  ],
  [
    'a quota',
    403,
    'pods "x" is forbidden: exceeded quota: small, requested: pods=1, used: pods=2, limited: pods=2',
    'unavailable',
    'Kubernetes answered 403: pods "x" is forbidden: exceeded quota: small, requested: pods=1, used: pods=2, limited: pods=2',
  ],
  [
    'Pod Security',
    403,
    'pods "x" is forbidden: violates PodSecurity "restricted:latest": host namespaces (hostNetwork=true)',
    'rejected',
    'Kubernetes answered 403: pods "x" is forbidden: violates PodSecurity "restricted:latest": host namespaces (hostNetwork=true)',
  ],
  [
    'an invalid pod',
    422,
    'Pod "x" is invalid: spec.containers[0].image: Required value',
    'rejected',
    'Kubernetes answered 422: Pod "x" is invalid: spec.containers[0].image: Required value',
  ],
  [
    'refused credentials',
    401,
    'Unauthorized',
    'unavailable',
    'Kubernetes answered 401: Unauthorized; renew the credentials in the file that KUBECONFIG names, or the service account of this pod',
  ],
  [
    'a missing namespace',
    404,
    'namespaces "graphs" not found',
    'unavailable',
    'Kubernetes answered 404: namespaces "graphs" not found; create it, or correct ROWGRAPH_KUBERNETES_NAMESPACE',
  ],
  [
    'a missing service account',
    403,
    'pods "x" is forbidden: error looking up service account graphs/rowgraph-pod: serviceaccount "rowgraph-pod" not found',
    'unavailable',
    'Kubernetes answered 403: pods "x" is forbidden: error looking up service account graphs/rowgraph-pod: serviceaccount "rowgraph-pod" not found; apply deploy/kubernetes/rbac.yaml',
  ],
])('reports %s', (_, code, message, kind, reason) => {
  expect(errorOf(code, { kind: 'Status', code, message })).toEqual({ kind, reason });
});

it('keeps the retry time that the server sends', () => {
  expect(failureOf({ statusCode: 429, headers: { 'retry-after': '3' } }, '')).toEqual({
    kind: 'unavailable',
    reason: 'HTTP 429',
    retryAfterMs: 3_000,
  });
  expect(errorOf(503, 'apiserver is shutting down')).toEqual({
    kind: 'unavailable',
    reason: 'the Kubernetes API does not answer: apiserver is shutting down',
  });
});
