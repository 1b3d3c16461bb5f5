import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ApiClient, apiClient } from '../../../support/api-client';
import { createTestDatabase } from '../../../support/postgres';
import { fillWarehouse } from '../../../support/sample-mappings';
import { type s3OfTest } from '../s3';
import { createNamespace } from './create-namespace';
import { adminKubeconfig } from './describe-with-kubernetes';
import { CHART, output } from './helm';
import { type KubeApi, openKubeApi } from './kube-api';
import { type PodObject } from './kube-objects';
import { serviceAddresses } from './service-addresses';
import { podPatchFor, startTestKubelet } from './test-kubelet';

const RELEASE = 'rowgraph';
const EDGE_TOKEN = 'the token of the edge';

/** A namespace with everything that the chart refers to, and a node that runs its pods. */
export interface ChartNamespace {
  readonly namespace: string;
  readonly admin: KubeApi;
  /** The values of an installation of two control planes and two workers. */
  readonly valuesFile: string;
  /** `helm` with the release and the namespace. */
  helm(command: 'install' | 'upgrade' | 'test' | 'uninstall', ...options: readonly string[]): Promise<string>;
  pods(component?: string): Promise<readonly PodObject[]>;
  /** A client that calls the Service of the API as this user, with the tokens of edge and bootstrap. */
  as(username: string | null): Promise<ApiClient>;
  close(): Promise<void>;
}

export const prepareForChart = async (s3: NonNullable<ReturnType<typeof s3OfTest>>): Promise<ChartNamespace> => {
  const admin = openKubeApi(adminKubeconfig());
  const namespace = `chart-${randomBytes(4).toString('hex')}`;
  const folder = await mkdtemp(join(tmpdir(), 'chart-'));
  const removeNamespace = await createNamespace(admin, namespace);
  const database = await createTestDatabase();
  await mkdir(join(folder, 'warehouse'));
  await fillWarehouse(join(folder, 'warehouse'));
  const services = serviceAddresses(admin, namespace);
  // LOG=1 shows the output of the pods.
  const onLine = process.env['LOG'] === undefined ? () => undefined : (line: string) => console.info(line);
  const kubelet = await startTestKubelet(admin, { namespace, onLine, locally: services.locally });

  const url = new URL(database.connectionString);
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = s3.credentials;
  const secrets = {
    internal: { secret: randomBytes(32).toString('hex') },
    edge: { 'edge-token': EDGE_TOKEN },
    database: { password: decodeURIComponent(url.password) },
    s3: { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY },
  };
  const at = `/api/v1/namespaces/${namespace}`;
  for (const [name, stringData] of Object.entries(secrets)) {
    await admin.call('POST', `${at}/secrets`, { metadata: { name }, stringData });
  }
  const size = { accessModes: ['ReadOnlyMany'], storageClassName: '' };
  await admin.call('POST', '/api/v1/persistentvolumes', {
    metadata: { name: namespace },
    spec: {
      ...{ ...size, capacity: { storage: '1Gi' }, hostPath: { path: join(folder, 'warehouse') } },
      claimRef: { namespace, name: 'warehouse' },
    },
  });
  await admin.call('POST', `${at}/persistentvolumeclaims`, {
    metadata: { name: 'warehouse' },
    spec: { ...size, resources: { requests: { storage: '1Gi' } }, volumeName: namespace },
  });

  url.password = '';
  const { nodeSelector, tolerations } = podPatchFor(namespace).spec;
  const values = {
    baseUrl: 'http://rowgraph.test',
    images: { registry: 'registry.test' },
    identity: { mode: 'trusted-edge', edgeToken: { secret: 'edge' } },
    secrets: { internal: { secret: 'internal' } },
    database: { url: url.href, password: { secret: 'database' }, connectTimeout: '60s' },
    s3: {
      ...{ bucket: s3.bucket, prefix: namespace, endpoint: s3.endpoint, region: s3.credentials.AWS_REGION },
      ...{ pathStyle: true, credentials: { secret: 's3' } },
    },
    queryEngine: { type: 'duckdb', duckdb: { existingClaim: 'warehouse', memoryMb: 300 } },
    controlPlane: { nodeSelector, tolerations },
    workers: { nodeSelector, tolerations, finishSeconds: 2 },
    pods: { nodeSelector, tolerations },
  };
  const valuesFile = join(folder, 'values.json');
  await writeFile(valuesFile, JSON.stringify(values));

  const helm: ChartNamespace['helm'] = (command, ...options) => {
    const chart = command === 'install' || command === 'upgrade' ? [CHART, '--values', valuesFile] : [];
    return output('helm', [command, RELEASE, ...chart, '--namespace', namespace, ...options]);
  };
  const pods: ChartNamespace['pods'] = async (component) => {
    const selector = component === undefined ? '' : `?labelSelector=app.kubernetes.io/component=${component}`;
    return (await admin.call<{ readonly items: readonly PodObject[] }>('GET', `${at}/pods${selector}`)).items;
  };
  return {
    ...{ namespace, admin, valuesFile, helm, pods },
    as: async (username) => {
      const origin = await services.locally(`http://${RELEASE}.${namespace}:80`);
      const secret = await admin.call<{ readonly data: { readonly token: string } }>(
        'GET',
        `${at}/secrets/${RELEASE}-bootstrap`,
      );
      const bootstrapToken = Buffer.from(secret.data.token, 'base64').toString();
      return withHeaders(apiClient(origin, username), {
        'X-Edge-Token': EDGE_TOKEN,
        'X-Bootstrap-Token': bootstrapToken,
      });
    },
    close: async () => {
      await helm('uninstall').catch(() => undefined);
      await removeNamespace();
      await admin.send('DELETE', `/api/v1/persistentvolumes/${namespace}`);
      await kubelet.stop();
      await services.close();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
};

const withHeaders = (client: ApiClient, headers: Readonly<Record<string, string>>): ApiClient => {
  const known = <O extends { readonly headers?: object }>(options?: O) => ({
    ...options,
    headers: { ...headers, ...options?.headers },
  });
  return {
    send: (method, path, options) => client.send(method, path, known(options)),
    call: (name, input) => client.call(name, known(input)),
    refused: (method, path, options) => client.refused(method, path, known(options)),
  };
};
