import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ApiClient } from '../../adapters/kubernetes/api-client';
import { foreignPodsError } from '../../adapters/kubernetes/foreign-pods';
import { patchError } from '../../adapters/kubernetes/patch-error';
import { type PodStatus } from '../../domain/instance';
import { type PodSpec } from '../../domain/ports/pod-runtime';
import { waitFor } from '../support/wait-for';
import { adminKubeconfig, describeWithKubernetes } from './support/kubernetes/describe-with-kubernetes';
import { type KubeApi, MERGE, openKubeApi } from './support/kubernetes/kube-api';
import { openClient } from './support/kubernetes/open-client';
import { createPodNamespace, type OpenRuntime, openRuntime } from './support/kubernetes/open-runtime';
import { permitted, restrictedAccount, withoutVerb } from './support/kubernetes/restricted-account';
import { usedPermissions } from './support/kubernetes/used-permissions';

const { signal } = new AbortController();
const DONE = { _tag: 'Right', right: undefined };
let lastInstanceId = 0;
const spec = (change: Partial<PodSpec> = {}): PodSpec => ({
  instanceId: ++lastInstanceId,
  urlSlug: randomUUID(),
  life: 1,
  wrapperType: 'graphdb_a',
  ownerUsername: 'ada@example.org',
  memoryBytes: 2 ** 30,
  cpuCores: 1,
  snapshotBytes: 1_000_000,
  instanceUrl: 'https://graphs.example/x',
  ...change,
});

describeWithKubernetes('errors of a cluster, with the permissions of deploy/kubernetes/rbac.yaml', () => {
  const namespace = `refusals-${randomUUID().slice(0, 8)}`;
  const user = `system:serviceaccount:${namespace}:rowgraph`;
  const pods = `/api/v1/namespaces/${namespace}/pods`;
  const folder = mkdtempSync(join(tmpdir(), 'refusals-'));
  let admin: KubeApi;
  let api: ApiClient;
  let removeNamespace: () => Promise<void>;
  let open: OpenRuntime;
  let seen: PodStatus[];

  beforeAll(async () => {
    admin = openKubeApi(adminKubeconfig());
    removeNamespace = await createPodNamespace(admin, namespace);
    await restrictedAccount(admin, namespace, join(folder, 'kubeconfig'));
    api = await openClient(join(folder, 'kubeconfig'));
    open = await openRuntime(api, namespace, { lostNodeMs: 1_000 });
  });
  beforeEach(() => {
    seen = [];
    open.runtime.onPodChanged((pod) => seen.push(pod));
  });
  afterAll(async () => {
    await open.stop();
    api.close();
    await removeNamespace();
    rmSync(folder, { recursive: true });
  });

  const lastOf = (pod: PodSpec): PodStatus | undefined => seen.filter(({ urlSlug }) => urlSlug === pod.urlSlug).at(-1);
  const place = async (pod: PodSpec, { runtime } = open): Promise<void> => {
    expect(await runtime.createPod(pod, signal)).toEqual(DONE);
  };
  const until = (pod: PodSpec, phase: PodStatus['phase']): Promise<void> =>
    waitFor(`the pod is ${phase}`, () => lastOf(pod)?.phase === phase);
  const annotate = (pod: PodSpec, annotations: Record<string, string>): Promise<unknown> =>
    admin.call('PATCH', `${pods}/graph-${pod.urlSlug}-1`, { metadata: { annotations } }, MERGE);

  it.each([
    ['oom', 'out_of_memory', 'OOMKilled'],
    ['evicted', 'stopped', 'Evicted: The node was low on resource: memory.'],
    ['complete', 'stopped', 'exit code 0'],
    ['error', 'crashed', 'exit code 1'],
  ])('a pod that ends as %s reports the cause', async (fate, cause, text) => {
    const pod = spec();
    await place(pod);
    await until(pod, 'ready');
    await annotate(pod, { 'rowgraph.test/fate': fate });
    await until(pod, 'ended');

    expect(lastOf(pod)?.end).toEqual({ cause, text });
  });

  it('a pod that fits on no node stays starting, with the message of the scheduler', async () => {
    const pod = spec({ memoryBytes: 2 ** 50 });
    await place(pod);
    await waitFor('the pod has a reason', () => lastOf(pod)?.reason != null);

    expect(lastOf(pod)).toMatchObject({ phase: 'starting', end: null });
    expect(lastOf(pod)?.reason).toMatch(/^Unschedulable: 0\/\d+ nodes are available: .*Insufficient memory/);
  });

  it('a pod whose image cannot be pulled stays starting, with the message of the kubelet', async () => {
    const other = await openRuntime(api, namespace, { image: { graphdb_a: 'registry.example/no-such-image:1' } });
    const pod = spec();
    await place(pod, other);
    await waitFor('the reason is ImagePullBackOff', () => lastOf(pod)?.reason?.startsWith('ImagePullBackOff') === true);
    expect(lastOf(pod)).toMatchObject({ phase: 'starting', end: null });
    expect(await other.runtime.createPod(spec({ wrapperType: 'graphdb_b' }), signal)).toMatchObject({
      left: { kind: 'rejected', reason: expect.stringContaining('ROWGRAPH_POD_IMAGE') as string },
    });
    await other.stop();
  });

  it('a pod that was deleted externally is missing or stopped', async () => {
    const pod = spec();
    await place(pod);
    await until(pod, 'ready');
    await admin.call('DELETE', `${pods}/graph-${pod.urlSlug}-1`);
    await until(pod, 'ended');

    expect(lastOf(pod)?.end).toEqual({ cause: 'stopped', text: 'the pod was deleted' });
  });

  it('a pod whose end its node does not confirm is force-deleted', async () => {
    const pod = spec();
    await place(pod);
    await until(pod, 'ready');
    await annotate(pod, { 'rowgraph.test/stops-after': '1h' });
    await admin.call('DELETE', `${pods}/graph-${pod.urlSlug}-1?gracePeriodSeconds=1`);
    await until(pod, 'ended');
    expect((await admin.send('GET', `${pods}/graph-${pod.urlSlug}-1`)).status).toBe(404);
  });

  it.each([
    ['infeasible', 'at_next_start'],
    ['deferred', 'pending'],
  ])('a resize that is %s is answered %s', async (answer, takesEffect) => {
    const pod = spec();
    await place(pod);
    await until(pod, 'ready');
    await annotate(pod, { 'rowgraph.test/resize': answer });
    const size = { memoryBytes: 2 ** 31, cpuCores: 1 };

    expect(await open.runtime.resizePod(pod, size, signal)).toEqual({ _tag: 'Right', right: takesEffect });
  });

  it('a pod that Pod Security rejects, or that is invalid, is rejected with the message of the server', async () => {
    const orderWith = async (patch: object): Promise<unknown> => {
      const other = await openRuntime(api, namespace, { patch: { spec: patch } });
      const answer = await other.runtime.createPod(spec(), signal);
      await other.stop();
      return answer;
    };
    const rejected = (reason: string) => ({
      left: { kind: 'rejected', reason: expect.stringMatching(reason) as string },
    });

    expect(await orderWith({ hostNetwork: true })).toMatchObject(rejected('violates PodSecurity "restricted:latest"'));
    expect(await orderWith({ nodeSelektor: {} })).toMatchObject(rejected('nodeSelektor'));
    expect(await orderWith({ restartPolicy: 'Sometimes' })).toMatchObject(rejected('restartPolicy'));
  });

  it('a patch with a misspelt field or an invalid value is named at the start, and no pod is created', async () => {
    const check = (patch: object): Promise<string | null> =>
      patchError(api, {
        ...{ namespace, system: 'test', image: { graphdb_b: 'rowgraph/pod:test' }, patch, lostNodeMs: 1_000 },
        environmentFor: () => ({}),
      });
    const inGraph = (change: object) => ({ spec: { containers: [{ name: 'graph', ...change }] } });

    for (const [patch, words] of [
      [{ specs: {} }, 'specs'],
      [{ spec: { nodeSelektor: {} } }, 'nodeSelektor'],
      [inGraph({ resources: { limit: { cpu: '1' } } }), 'limit'],
      [inGraph({ resources: { limits: { memroy: '1Gi' } } }), 'memroy'],
      [inGraph({ securityContext: { runAsUsr: 1 } }), 'runAsUsr'],
      [{ spec: { restartPolicy: 'Sometimes' } }, 'restartPolicy'],
    ] as const)
      expect(await check(patch)).toContain(words);
    expect(await check({ spec: { tolerations: [{ key: 'graphs', operator: 'Exists' }] } })).toBeNull();
    const listed = await admin.call<{ readonly items: readonly { readonly metadata: object }[] }>('GET', pods);
    expect(JSON.stringify(listed.items.map(({ metadata }) => metadata))).not.toContain('graph-trial');
  });

  it('an exhausted quota is temporary, with the message of the server', async () => {
    const quota = `/api/v1/namespaces/${namespace}/resourcequotas/none`;
    const kind = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'none' } };
    await admin.apply(quota, { ...kind, spec: { hard: { pods: '0' } } });
    const pod = spec();
    const refused = {
      left: { kind: 'unavailable', reason: expect.stringContaining('exceeded quota: none') as string },
    };
    await waitFor('the quota applies', async () => {
      const answer = await open.runtime.createPod(spec(), signal);
      return answer._tag === 'Left';
    });
    expect(await open.runtime.createPod(pod, signal)).toMatchObject(refused);
    await admin.call('DELETE', quota);
    await waitFor('the pod is created', async () => (await open.runtime.createPod(pod, signal))._tag === 'Right');
  });

  it.each(['create', 'patch'])('a missing permission is reported with verb and resource: %s', async (verb) => {
    await withoutVerb(admin, namespace, verb);
    const reason = `the Kubernetes account ${user} lacks the permission: verb ${verb}, resource pods in the namespace ${namespace}; apply deploy/kubernetes/rbac.yaml`;
    await waitFor('the permission is denied', async () => {
      const answer = await open.runtime.createPod(spec(), signal);
      return answer._tag === 'Left' && answer.left.reason === reason;
    });
    await withoutVerb(admin, namespace, null);
    await waitFor('the pod is created', async () => (await open.runtime.createPod(spec(), signal))._tag === 'Right');
  });

  it('keeps the pods of another system, which is named at the start', async () => {
    const pod = spec();
    await place(pod);
    const other = await openRuntime(api, namespace, { system: 'other' });
    expect(await other.runtime.listPods()).toEqual({ _tag: 'Right', right: [] });
    for (const life of [1, null]) {
      expect(await other.runtime.deletePod({ ...pod, life }, signal)).toMatchObject({ right: 'absent' });
    }
    await other.stop();
    await until(pod, 'ready');

    expect(await foreignPodsError(api, namespace, 'test')).toBeNull();
    expect(await foreignPodsError(api, namespace, 'other')).toContain(
      `set ROWGRAPH_KUBERNETES_NAMESPACE to another one, or, if that system is gone, remove its pods: kubectl -n ${namespace} delete pods -l rowgraph/system=test`,
    );
  });

  it('uses exactly the permissions of deploy/kubernetes/rbac.yaml', async () => {
    const pod = spec();
    await place(pod);
    await until(pod, 'ready');
    expect(await open.runtime.resizePod(pod, { memoryBytes: 2 ** 31, cpuCores: 1 }, signal)).toMatchObject(DONE_RESIZE);
    expect(await open.runtime.deletePod(pod, signal)).toMatchObject({ right: 'ordered' });
    await until(pod, 'ended');
    expect(await open.runtime.deletePod(pod, signal)).toMatchObject({ right: 'absent' });
    const used = () => usedPermissions(user);
    await waitFor('the audit log contains the requests', () => used().has('get pods') && used().has('delete pods'));

    // A server-side apply of a new object is logged as patch, and needs create as well (the test above); tokens are
    // reviewed by another test.
    expect([...used(), 'create pods', 'create tokenreviews'].sort()).toEqual([...permitted()].sort());
  });
});

const DONE_RESIZE = { _tag: 'Right', right: 'now' };
