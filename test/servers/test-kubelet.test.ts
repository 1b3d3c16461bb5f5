import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FilesystemObjectStore } from '../../adapters/filesystem/filesystem-object-store';
import { type StandInControlPlane, startStandInControlPlane } from '../../bench/pods/stand-in-control-plane';
import { waitFor } from '../support/wait-for';
import { createNamespace } from './support/kubernetes/create-namespace';
import { adminKubeconfig, describeWithKubernetes } from './support/kubernetes/describe-with-kubernetes';
import { type KubeApi, openKubeApi } from './support/kubernetes/kube-api';
import { type PodObject } from './support/kubernetes/kube-objects';
import { podPatchFor, startTestKubelet, type TestKubelet } from './support/kubernetes/test-kubelet';

const NAMESPACE = `rowgraph-kubelet-${process.pid}`;
const PODS = `/api/v1/namespaces/${NAMESPACE}/pods`;

describeWithKubernetes('the test kubelet', () => {
  let admin: KubeApi;
  let removeNamespace: () => Promise<void>;
  let kubelet: TestKubelet;
  let controlPlane: StandInControlPlane;
  let objects: string;
  const reports: unknown[] = [];
  beforeAll(async () => {
    admin = openKubeApi(adminKubeconfig());
    removeNamespace = await createNamespace(admin, NAMESPACE);
    kubelet = await startTestKubelet(admin, { namespace: NAMESPACE, memory: '8Gi' });
    objects = await mkdtemp(join(tmpdir(), 'objects-'));
    const mapping = {
      snapshot_id: 1,
      mapping_id: 1,
      mapping_version: 1,
      storage_path: 'ada/1/v1/1/',
      node_definitions: [],
      edge_definitions: [],
    };
    controlPlane = await startStandInControlPlane(new FilesystemObjectStore(objects), mapping, ({ status }) =>
      reports.push(status),
    );
  });
  afterAll(async () => {
    controlPlane.close();
    await removeNamespace();
    await kubelet.stop();
    await rm(objects, { recursive: true });
  });

  const create = (name: string, image = 'rowgraph-pod:1'): Promise<unknown> =>
    admin.call('POST', PODS, handMadePod(name, image, controlPlane.url));
  const find = async (name: string): Promise<PodObject> => (await admin.send<PodObject>('GET', `${PODS}/${name}`)).body;
  const isReady = async (name: string): Promise<boolean> => {
    const { status } = await find(name);
    return status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true;
  };

  it('runs the program of a pod on its own address, with a token bound to the pod, until it is deleted', async () => {
    await create('one');
    await waitFor('the pod is ready', () => isReady('one'));
    const { metadata, status } = await find('one');
    expect(status).toMatchObject({ phase: 'Running', podIP: expect.stringMatching(/^127\.10\./) as unknown });
    expect((await fetch(`http://${status?.podIP}:8082/health`)).status).toBe(200);
    const [{ pid } = { pid: 0 }] = kubelet.pods();
    const token = await readFile(`/proc/${pid}/cwd/../token/token`, 'utf8');
    const review = {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenReview',
      spec: { token, audiences: ['rowgraph'] },
    };
    expect(await admin.call('POST', '/apis/authentication.k8s.io/v1/tokenreviews', review)).toMatchObject({
      status: { authenticated: true, user: { extra: { 'authentication.kubernetes.io/pod-uid': [metadata?.uid] } } },
    });
    const deleted = await admin.call('DELETE', `${PODS}/one`);
    expect(deleted).toMatchObject({ metadata: { uid: metadata?.uid, deletionGracePeriodSeconds: 30 } });
    await waitFor('the pod is deleted', async () => (await admin.send('GET', `${PODS}/one`)).status === 404);
    expect(kubelet.pods()).toEqual([]);
    expect(reports).toContain('stopping');
  });

  it('reports an image that cannot be pulled, exceeded memory, and a resize', async () => {
    await create('no-image', 'no-such-image:1');
    await waitFor(
      'the pod waits for its image',
      async () => (await find('no-image')).status?.containerStatuses?.[0]?.state?.waiting?.reason === 'ErrImagePull',
    );
    await admin.call('DELETE', `${PODS}/no-image`);

    await create('two');
    await waitFor('the pod is ready', () => isReady('two'));
    const resized = { spec: { containers: [{ name: 'pod', resources: { limits: { memory: '2Gi' } } }] } };
    await admin.call('PATCH', `${PODS}/two/resize`, resized, 'application/strategic-merge-patch+json');
    await waitFor(
      'the pod is resized',
      async () => (await find('two')).status?.containerStatuses?.[0]?.resources?.limits?.['memory'] === '2Gi',
    );
    kubelet.killForMemory('two');
    await waitFor('the pod has failed', async () => (await find('two')).status?.phase === 'Failed');
    expect((await find('two')).status?.containerStatuses?.[0]?.state?.terminated).toMatchObject({
      exitCode: 137,
      reason: 'OOMKilled',
    });
    await admin.call('DELETE', `${PODS}/two`);
    await waitFor(
      'all pods are deleted',
      async () => (await admin.call<{ items: unknown[] }>('GET', PODS)).items.length === 0,
    );
  });
});

const handMadePod = (name: string, image: string, url: string): object => {
  const environment = {
    ROWGRAPH_POD_INSTANCE_ID: '42',
    ROWGRAPH_POD_SLUG: name,
    ROWGRAPH_POD_INSTANCE_URL: 'http://localhost/x',
    ROWGRAPH_POD_OWNER: 'ada',
    ROWGRAPH_POD_WRAPPER_TYPE: 'graphdb_a',
    ROWGRAPH_POD_CONTROL_PLANE_URL: url,
    ROWGRAPH_POD_TOKEN: 'hand-made',
    ROWGRAPH_POD_DATA_DIR: '/data/graph',
    ROWGRAPH_POD_HOST: '0.0.0.0',
    ROWGRAPH_POD_PORT: '8082',
    ROWGRAPH_POD_MEMORY_FILE: '/sys/fs/cgroup/memory.max',
    ROWGRAPH_POD_MEMORY_BYTES: String(2 ** 30),
    ROWGRAPH_POD_CPU_CORES: '1',
  };
  const probe = { httpGet: { path: '/health', port: 8082 }, periodSeconds: 1, timeoutSeconds: 1, failureThreshold: 30 };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: {
      ...podPatchFor(NAMESPACE).spec,
      restartPolicy: 'Never',
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
      containers: [
        {
          name: 'pod',
          image,
          env: Object.entries(environment).map(([name, value]) => ({ name, value })),
          resources: { requests: { cpu: '100m', memory: '1Gi' }, limits: { memory: '1Gi' } },
          securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
          volumeMounts: [
            { name: 'data', mountPath: '/data' },
            { name: 'token', mountPath: '/var/run/rowgraph' },
          ],
          readinessProbe: probe,
          livenessProbe: probe,
        },
      ],
      volumes: [
        { name: 'data', emptyDir: {} },
        { name: 'token', projected: { sources: [{ serviceAccountToken: { audience: 'rowgraph', path: 'token' } }] } },
      ],
    },
  };
};
