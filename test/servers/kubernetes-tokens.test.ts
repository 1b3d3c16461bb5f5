import { randomUUID } from 'node:crypto';
import { isLeft, left, right } from 'fp-ts/Either';
import { type ApiClient, type ApiRequest } from '../../adapters/kubernetes/api-client';
import { reviewTokens, type TokenReviewOptions } from '../../adapters/kubernetes/review-tokens';
import { podSpec } from '../adapters/local-process/stand-in-pods';
import { succeeded } from '../contracts/event-store/event-samples';
import { adminKubeconfig, describeWithKubernetes } from './support/kubernetes/describe-with-kubernetes';
import { type KubeApi, openKubeApi } from './support/kubernetes/kube-api';
import { type PodObject } from './support/kubernetes/kube-objects';
import { openClient } from './support/kubernetes/open-client';
import { createPodNamespace, openRuntime } from './support/kubernetes/open-runtime';

jest.setTimeout(120_000);

describeWithKubernetes('the tokens of pods', () => {
  const namespace = `tokens-${randomUUID().slice(0, 8)}`;
  const spec = podSpec({ instanceId: 41, life: 3 });
  const podName = `graph-${spec.urlSlug}-3`;
  let admin: KubeApi;
  let api: ApiClient;
  let removeNamespace: () => Promise<void>;
  let asked: ApiRequest[];
  let identify: ReturnType<typeof reviewTokens>;

  beforeAll(async () => {
    admin = openKubeApi(adminKubeconfig());
    removeNamespace = await createPodNamespace(admin, namespace);
    api = await openClient(adminKubeconfig());
    const { runtime, stop } = await openRuntime(api, namespace);
    succeeded(await runtime.createPod(spec, AbortSignal.timeout(5_000)));
    await stop();
  });
  afterAll(async () => {
    api.close();
    await removeNamespace();
  });
  beforeEach(() => {
    asked = [];
    identify = reviewer(api);
  });

  const reviewer = (client: Pick<ApiClient, 'call'>): ReturnType<typeof reviewTokens> => {
    const call: TokenReviewOptions['api']['call'] = (request, codec, signal) => {
      asked.push(request);
      return client.call(request, codec, signal);
    };
    const instanceIdOf = (slug: string) => Promise.resolve(slug === spec.urlSlug ? 41 : null);
    return reviewTokens({ api: { call }, namespace, instanceIdOf });
  };
  /** The content of a projected volume of the pod. */
  const tokenOf = async (account: string, audience: string, pod: string | null): Promise<string> => {
    const path = `/api/v1/namespaces/${namespace}`;
    const uid = pod && (await admin.call<PodObject>('GET', `${path}/pods/${pod}`)).metadata?.uid;
    const bound = pod === null ? {} : { boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: pod, uid } };
    const request = { spec: { audiences: [audience], expirationSeconds: 3600, ...bound } };
    const answer = await admin.call<{ status: { token: string } }>(
      'POST',
      `${path}/serviceaccounts/${account}/token`,
      request,
    );
    return answer.status.token;
  };
  const reasonFor = async (token: string): Promise<string> => {
    const identified = await identify(token);
    return isLeft(identified) ? `${identified.left.kind}: ${identified.left.reason}` : 'identified';
  };

  it('identify the instance and the life, and are reviewed once a minute', async () => {
    const token = await tokenOf('rowgraph-pod', 'rowgraph-internal', podName);
    const identified = await Promise.all([1, 2, 3].map(() => identify(token)));
    expect([...identified, await identify(token)]).toEqual(
      Array.from({ length: 4 }, () => right({ kind: 'wrapper', instanceId: 41, life: 3 })),
    );
    expect(asked).toHaveLength(1);
  });

  it('tokens of export workers identify them', async () => {
    expect(await identify(await tokenOf('rowgraph-worker', 'rowgraph-internal', null))).toEqual(
      right({ kind: 'worker' }),
    );
  });

  it('tokens of others are invalid, with the reason', async () => {
    expect(await reasonFor('no token')).toMatch(/^invalid: .*token/);
    expect(await reasonFor(await tokenOf('rowgraph-pod', 'vault', podName))).toMatch(/^invalid: .*audience/i);
    expect(await reasonFor(await tokenOf('default', 'rowgraph-internal', null))).toBe(
      `invalid: it belongs to system:serviceaccount:${namespace}:default; expected system:serviceaccount:${namespace}:rowgraph-pod`,
    );
    expect(await reasonFor(await tokenOf('rowgraph-pod', 'rowgraph-internal', null))).toBe(
      'invalid: it is not bound to the pod of an instance (graph-<slug>-<life>)',
    );
    expect(asked).toHaveLength(4);
  });

  it('cannot be verified while the API server is unavailable, which is answered as temporary', async () => {
    const token = await tokenOf('rowgraph-pod', 'rowgraph-internal', podName);
    const away = { kind: 'unavailable', reason: 'connect ECONNREFUSED', retryAfterMs: null } as const;
    identify = reviewer({ call: () => Promise.resolve(left(away)) });
    expect(await reasonFor(token)).toMatch(/^unavailable: .*connect ECONNREFUSED$/);
    await identify(token);
    expect(asked).toHaveLength(2);
  });
});
