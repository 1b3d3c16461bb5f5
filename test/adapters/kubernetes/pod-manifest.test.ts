import { type ManifestOptions, podManifest } from '../../../adapters/kubernetes/pod-manifest';
import { type PodSpec } from '../../../domain/ports/pod-runtime';

const spec: PodSpec = {
  instanceId: 42,
  urlSlug: 'aabb-ccdd',
  life: 3,
  wrapperType: 'graphdb_a',
  ownerUsername: 'ada@example.org',
  memoryBytes: 4 * 2 ** 30,
  cpuCores: 2,
  snapshotBytes: 2 ** 30,
  instanceUrl: 'https://graphs.example/aabb-ccdd',
};
const options: ManifestOptions = {
  namespace: 'graphs',
  system: 'd3b0',
  image: { graphdb_a: 'registry.example/duckdb:1' },
  environmentFor: () => ({ ROWGRAPH_POD_INSTANCE_ID: '42' }),
  patch: {},
  lostNodeMs: 5_500,
};
const manifest = (change: Partial<PodSpec> = {}, patch: unknown = {}) =>
  podManifest({ ...spec, ...change }, { ...options, patch });

it('names the pod after slug and life, and labels it with system, instance and owner', () => {
  expect(manifest().metadata).toMatchObject({
    name: 'graph-aabb-ccdd-3',
    namespace: 'graphs',
    labels: { 'rowgraph/system': 'd3b0', 'rowgraph/instance': '42', 'rowgraph/owner': 'ada_example.org' },
  });
  expect(manifest().metadata).not.toHaveProperty('finalizers');
});

it.each([
  ['-Ünal, Ökten!', 'nal_kten'],
  [`a${'é'.repeat(3)}${'b'.repeat(100)}`, `a_${'b'.repeat(61)}`],
  ['名前', ''],
])('derives the owner label %s', (ownerUsername, label) => {
  expect(manifest({ ownerUsername }).metadata?.labels?.['rowgraph/owner']).toBe(label);
});

it('requests and limits cores and memory by the size, and disk by the snapshot', () => {
  expect(manifest().spec?.containers[0]?.resources).toEqual({
    requests: { memory: '4294967296', cpu: '2' },
    limits: { memory: '4294967296', cpu: '4' },
  });
  const diskOf = (snapshotBytes: number): unknown =>
    manifest({ snapshotBytes }).spec?.volumes?.find(({ name }) => name === 'data')?.emptyDir?.sizeLimit;
  expect([diskOf(0), diskOf(2 ** 30)]).toEqual([String(2 * 2 ** 30), String(8 * 2 ** 30)]);
});

it('neither mounts cluster credentials nor restarts containers', () => {
  expect(manifest().spec).toMatchObject({
    restartPolicy: 'Never',
    enableServiceLinks: false,
    automountServiceAccountToken: false,
    tolerations: [
      { key: 'node.kubernetes.io/not-ready', tolerationSeconds: 6 },
      { key: 'node.kubernetes.io/unreachable', tolerationSeconds: 6 },
    ],
  });
});

it('keeps the time of lost nodes when a patch adds tolerations', () => {
  const graphs = { key: 'graphs', operator: 'Exists' };
  expect(manifest({}, { spec: { tolerations: [graphs] } }).spec?.tolerations).toEqual([
    ...(manifest().spec?.tolerations ?? []),
    graphs,
  ]);
});

it('keeps name, namespace and labels, whatever the patch contains', () => {
  const metadata = { name: 'other', namespace: 'other', labels: { 'rowgraph/instance': '1', team: 'graphs' } };
  const patched = manifest(
    {},
    { metadata, spec: { containers: [{ name: 'graph', env: [{ name: 'A', value: '1' }] }] } },
  );

  expect(patched.metadata).toMatchObject({
    name: 'graph-aabb-ccdd-3',
    namespace: 'graphs',
    labels: { 'rowgraph/instance': '42', team: 'graphs' },
  });
  expect(patched.spec?.containers[0]?.env).toEqual([
    { name: 'ROWGRAPH_POD_INSTANCE_ID', value: '42' },
    { name: 'A', value: '1' },
  ]);
});
