import { readFileSync } from 'node:fs';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { createNamespace } from './support/kubernetes/create-namespace';
import { adminKubeconfig, describeWithKubernetes } from './support/kubernetes/describe-with-kubernetes';
import { CHART, output, run } from './support/kubernetes/helm';
import { installCrds } from './support/kubernetes/install-crds';
import { openKubeApi } from './support/kubernetes/kube-api';

jest.setTimeout(120_000);

const REQUIRED = {
  baseUrl: 'https://rowgraph.example.org',
  secrets: { internal: { secret: 'internal' } },
  database: { url: 'postgres://rowgraph@db.example.org/rowgraph?sslmode=verify-full', password: { secret: 'db' } },
  s3: { bucket: 'graphs' },
  queryEngine: { trino: { url: 'https://trino.example.org', exportSchema: 'hive.rowgraph' } },
};
const PEERS = [{ namespaceSelector: { matchLabels: { team: 'monitoring' } } }];
const PLACEMENT = {
  priorityClassName: 'graphs',
  nodeSelector: { disktype: 'ssd' },
  tolerations: [{ key: 'graphs', operator: 'Exists' }],
};
const COMPONENT = {
  ...PLACEMENT,
  affinity: { nodeAffinity: {} },
  podAnnotations: { a: 'b' },
  podLabels: { c: 'd' },
  extraEnv: [{ name: 'HTTPS_PROXY', value: 'http://proxy:3128' }],
};

/**
 * Values from which the chart must render objects that the API server accepts; each in addition to the required values.
 */
const MATRIX: Readonly<Record<string, object>> = {
  'the defaults': {},
  'an umbrella chart': { global: { imageRegistry: 'elsewhere' }, fullnameOverride: 'graphs' },
  'one control plane, nothing optional': {
    controlPlane: { replicas: 1, podDisruptionBudget: { enabled: false } },
    networkPolicy: { enabled: false },
    rbac: { create: false },
    workers: { replicas: 0 },
  },
  'a trusted edge behind an ingress': {
    identity: { mode: 'trusted-edge', edgeToken: { secret: 'edge' } },
    ingress: {
      ...{ enabled: true, className: 'nginx', hosts: ['rowgraph.example.org'], annotations: { e: 'f' } },
      tls: [{ secretName: 'tls', hosts: ['rowgraph.example.org'] }],
    },
  },
  'an identity provider behind a gateway': {
    identity: { mode: 'oidc', oidc: { issuer: 'https://id.example.org', audience: 'rowgraph', rolesClaim: 'roles' } },
    httpRoute: { enabled: true, parentRefs: [{ name: 'gateway' }], hostnames: ['rowgraph.example.org'] },
  },
  'EventStoreDB, credentials, certificates and placement': {
    eventStore: { type: 'eventstoredb', url: 'esdb://rowgraph@es:2113', password: { secret: 'es' }, prefix: 'prod' },
    s3: { prefix: 'p', endpoint: 'http://minio:9000', region: 'eu', pathStyle: true, credentials: { secret: 's3' } },
    queryEngine: { allowedCatalogs: 'bank', trino: { password: { secret: 'trino' }, catalog: 'bank', schema: 'main' } },
    caBundle: { configMap: 'ca' },
    images: { registry: 'registry.example.org/x', pullSecrets: ['registry'], worker: 'own-worker:1' },
    serviceAccount: { annotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::1:role/rowgraph' } },
    controlPlane: { ...COMPONENT, service: { type: 'LoadBalancer', annotations: { g: 'h' } } },
    workers: COMPONENT,
    pods: { ...PLACEMENT, patch: { spec: { containers: [{ name: 'graph', env: [{ name: 'A', value: 'b' }] }] } } },
    networkPolicy: { apiFrom: PEERS, metricsFrom: PEERS },
  },
  'files as tables and workers by CPU': {
    queryEngine: { type: 'duckdb', duckdb: { existingClaim: 'warehouse' } },
    workers: { autoscaling: { enabled: true } },
  },
  monitoring: {
    monitoring: {
      scrape: { enabled: true, labels: { i: 'j' } },
      rules: { enabled: true, docsUrl: 'https://docs.example.org' },
      dashboard: { enabled: true },
    },
  },
  'workers by jobs that wait': { workers: { keda: { enabled: true } } },
};

const merged = (base: object, change: object): object =>
  Object.entries(change).reduce<Record<string, unknown>>(
    (result, [name, value]) => {
      const before = result[name];
      const areObjects = [before, value].every((one) => typeof one === 'object' && one !== null && !Array.isArray(one));
      return { ...result, [name]: areObjects ? merged(before as object, value as object) : (value as unknown) };
    },
    { ...base },
  );

interface Rendered {
  readonly kind: string;
  readonly rules?: unknown;
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: { readonly enableServiceLinks?: boolean; readonly template?: Rendered };
}
const parsed = (text: string): readonly Rendered[] =>
  parseAllDocuments(text).flatMap((document) => (document.toJS() as Rendered | null) ?? []);

describeWithKubernetes('the Helm chart', () => {
  const namespace = `lint-${process.pid}`;
  let removeNamespace: () => Promise<void>;
  beforeAll(async () => {
    removeNamespace = await createNamespace(openKubeApi(adminKubeconfig()), namespace);
    await installCrds();
  });
  afterAll(() => removeNamespace());

  const render = (values: object, more: readonly string[] = []): Promise<string> =>
    output('helm', ['template', 'rg', CHART, '--namespace', namespace, '--kube-version', '1.35.0', '--values', '-', ...more], stringify(values)); // prettier-ignore

  it.each(Object.keys(MATRIX))('renders %s to objects that the API server accepts', async (name) => {
    const values = merged(REQUIRED, MATRIX[name] ?? {});
    expect(await output('helm', ['lint', '--strict', CHART, '--values', '-'], stringify(values))).toContain('0 chart(s) failed'); // prettier-ignore
    const rendered = await render(values);
    for (const { kind, spec } of parsed(rendered)) {
      const pod = kind === 'Deployment' ? spec?.template?.spec : kind === 'Pod' ? spec : { enableServiceLinks: false };
      expect(pod).toMatchObject({ enableServiceLinks: false });
    }
    const apply = ['apply', '--dry-run=server', '--validate=strict', '--namespace', namespace, '--filename', '-'];
    // Pod Security answers with a warning.
    expect(await run('kubectl', apply, rendered)).toMatchObject({ code: 0, stderr: '' });
  });

  it.each([
    [{ secrets: { internal: { secret: '' } } }, 'secrets.internal.secret is required'],
    [{ baseUrl: '' }, 'baseUrl is required'],
    [{ identity: { mode: 'oidc' } }, 'identity.oidc.issuer is required'],
    [{ ingress: { enabled: true } }, 'ingress.hosts is required'],
    [{ httpRoute: { enabled: true } }, 'httpRoute.parentRefs is required'],
    [{ database: { url: 'postgres://me:password@db/x' } }, 'database/url'],
    [{ workers: { finishSecond: 3 } }, 'finishSecond'],
    [{ controlPlane: { resources: { request: { cpu: '1' } } } }, 'request'],
    [{ workers: { resources: { limits: { memroy: '1Gi' } } } }, 'memroy'],
    [{ pods: { patch: { specs: {} } } }, 'specs'],
    [{ pods: { patch: { spec: { nodeSelektor: {} } } } }, 'nodeSelektor'],
    [{ pods: { patch: { spec: { containers: [{ name: 'graph', ressources: {} }] } } } }, 'ressources'],
    [{ workers: { keda: { enabled: true }, autoscaling: { enabled: true } } }, 'exclude each other'],
  ])('rejects %j with a reason', async (change, reason) => {
    const values = stringify(merged(REQUIRED, change));
    const { code, stderr } = await run('helm', ['template', 'rg', CHART, '--kube-version', '1.35.0', '--values', '-'], values); // prettier-ignore
    expect([code, stderr]).toEqual([1, expect.stringContaining(reason)]);
  });

  it('keeps the bootstrap token at upgrades, and the notes read it', async () => {
    const secretsOf = async (values: object, more: readonly string[] = []) =>
      parsed(await render(values, more)).filter(({ kind }) => kind === 'Secret');
    const [first] = await secretsOf(REQUIRED);
    const token = Buffer.from(first?.data?.['token'] ?? '', 'base64').toString();
    expect(token).toMatch(/^[A-Za-z0-9]{40}$/);
    // Without these annotations, Helm does not install over an object that exists.
    const annotations = { 'meta.helm.sh/release-name': 'rg', 'meta.helm.sh/release-namespace': namespace };
    const owned = merged(first ?? {}, { metadata: { annotations } });
    await output('kubectl', ['apply', '--namespace', namespace, '--filename', '-'], stringify(owned));
    expect((await secretsOf(REQUIRED, ['--dry-run=server']))[0]?.data).toEqual(first?.data);
    expect(await secretsOf({ ...REQUIRED, secrets: { ...REQUIRED.secrets, bootstrap: { secret: 'own' } } })).toEqual(
      [],
    );
    const notes = await output('helm', ['install', 'rg', CHART, '--namespace', namespace, '--dry-run', '--values', '-'], stringify(REQUIRED)); // prettier-ignore
    const [, command = ''] = /ROWGRAPH_BOOTSTRAP_TOKEN="\$\((.*)\)"/.exec(notes) ?? [];
    const [program, ...words] = command.split(' | ')[0]?.replaceAll("'", '').split(' ') ?? [];
    expect(program).toBe('kubectl');
    expect(Buffer.from(await output('kubectl', words), 'base64').toString()).toBe(token);
  });

  it('merges the lists of pods.patch with those of other values', async () => {
    const merging = {
      images: { pullSecrets: ['registry'] },
      pods: {
        tolerations: [{ key: 'graphs', operator: 'Exists' }],
        patch: { spec: { imagePullSecrets: [{ name: 'other' }], tolerations: [{ key: 'gpu', operator: 'Exists' }] } },
      },
    };
    const config = parsed(await render(merged(REQUIRED, merging))).find(
      ({ data }) => data?.['patch.yaml'] !== undefined,
    );
    expect(parse(config?.data?.['patch.yaml'] ?? '')).toMatchObject({
      spec: {
        imagePullSecrets: [{ name: 'registry' }, { name: 'other' }],
        tolerations: [
          { key: 'graphs', operator: 'Exists' },
          { key: 'gpu', operator: 'Exists' },
        ],
      },
    });
  });

  it('grants what deploy/kubernetes/rbac.yaml grants', async () => {
    const rulesOf = (documents: readonly Rendered[]) =>
      documents.flatMap(({ kind, rules }) => (rules === undefined ? [] : [{ kind, rules }])).sort((a, b) => (a.kind < b.kind ? -1 : 1)); // prettier-ignore
    const plain = rulesOf(parsed(readFileSync('deploy/kubernetes/rbac.yaml', 'utf8')));
    expect(plain).toHaveLength(2);
    expect(rulesOf(parsed(await render(REQUIRED)))).toEqual(plain);
  });
});
