import { type ApiClient } from '../support/api-client';
import { ask, createInstance, createMapping, deleteInstance, findInstance, untilRunning } from '../support/instances';
import { admitOliviaAdaAndBob, TIMEOUT_MS } from '../support/running-system';
import { endlessMapping, townMapping } from '../support/sample-mappings';
import { waitFor } from '../support/wait-for';
import { describeWithKubernetes } from './support/kubernetes/describe-with-kubernetes';
import { type ChartNamespace, prepareForChart } from './support/kubernetes/installed-chart';
import { type PodObject } from './support/kubernetes/kube-objects';
import { s3OfTest } from './support/s3';

jest.setTimeout(10 * TIMEOUT_MS);

const s3 = s3OfTest();
const KINDS = ['graphdb_a', 'graphdb_b'] as const;
const COUNT = 'MATCH (p:Person) RETURN count(*)';

(s3 === null ? describe.skip : describeWithKubernetes)('the Helm chart on a cluster', () => {
  if (s3 === null) return;
  let chart: ChartNamespace;
  let ada: ApiClient;
  const ids: number[] = [];
  beforeAll(async () => {
    chart = await prepareForChart(s3);
  });
  afterAll(() => chart.close());

  const isReady = ({ metadata, status }: PodObject): boolean =>
    metadata?.deletionTimestamp === undefined &&
    status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true;
  const namesOf = async (component: string): Promise<readonly string[]> =>
    (await chart.pods(component)).map(({ metadata }) => metadata?.name ?? '');
  const untilReady = (component: string, count: number): Promise<void> =>
    waitFor(
      `${count} pods of ${component} are ready`,
      async () => {
        const pods = await chart.pods(component);
        return pods.length === count && pods.every(isReady);
      },
      5 * TIMEOUT_MS,
    );
  const expectAnswers = async (): Promise<void> => {
    for (const id of ids) {
      const { instance_url } = await findInstance(ada, id);
      expect(await ask(ada, new URL(instance_url ?? '').pathname, COUNT)).toEqual([[100]]);
    }
  };

  it('starts an instance of each kind in an empty namespace with one command', async () => {
    const begun = Date.now();
    const seconds = (): string => `${((Date.now() - begun) / 1000).toFixed(1)} s`;
    await chart.helm('install');
    await waitFor('a control plane is ready', async () => (await chart.pods('control-plane')).some(isReady), 5 * TIMEOUT_MS); // prettier-ignore
    console.info(`a control plane is ready ${seconds()} after helm install`);
    const users = [null, 'olivia', 'ada', 'bob'];
    const clients = await Promise.all(users.map((name) => chart.as(name)));
    const as = (name: string | null): ApiClient => {
      const client = clients[users.indexOf(name)];
      if (client === undefined) throw new Error(`${name} has no client.`);
      return client;
    };
    await admitOliviaAdaAndBob({ as });
    ada = as('ada');
    const mapping = await createMapping(ada, townMapping);
    for (const kind of KINDS) {
      ids.push(await createInstance(ada, mapping, kind, kind));
      await untilRunning(ada, ids.at(-1) ?? 0);
      console.info(`an instance of ${kind} is running ${seconds()} after helm install`);
    }
    await expectAnswers();
  });

  it('passes its own test', async () => {
    await untilReady('control-plane', 2);
    expect(await chart.helm('test')).toMatch(/Phase: +Succeeded/);
  });

  it('stops a worker without using an attempt', async () => {
    await untilReady('worker', 2);
    const id = await createInstance(ada, await createMapping(ada, endlessMapping), 'endless');
    const olivia = await chart.as('olivia');
    const job = async () => (await olivia.call('listExportJobs', { query: { status: 'claimed' } })).data[0];
    let first: string | null = null;
    await waitFor('a worker has claimed the job', async () => (first = (await job())?.claimed_by ?? null) !== null);
    await chart.admin.call('DELETE', `/api/v1/namespaces/${chart.namespace}/pods/${String(first)}`);
    await waitFor(
      'another worker has claimed the job',
      async () => ![first, undefined, null].includes((await job())?.claimed_by),
      TIMEOUT_MS,
    );
    expect(await job()).toMatchObject({ attempts: 1 });
    await deleteInstance(ada, id);
  });

  it('is upgraded to another value without a failed request', async () => {
    const before = await namesOf('control-plane');
    const failures: string[] = [];
    let [requests, isOver] = [0, false];
    const load = async (): Promise<void> => {
      while (!isOver) {
        requests += 1;
        await expectAnswers().catch((error: unknown) => failures.push(String(error)));
      }
    };
    const loading = load();
    await chart.helm('upgrade', '--set', 'logLevel=debug');
    await waitFor(
      'all control planes are replaced',
      async () => (await namesOf('control-plane')).every((name) => !before.includes(name)),
      10 * TIMEOUT_MS,
    );
    await untilReady('control-plane', 2);
    await untilReady('worker', 2);
    isOver = true;
    await loading;
    console.info(`${requests * ids.length} queries during the upgrade`);
    expect(failures).toEqual([]);
    const [pod] = await chart.pods('control-plane');
    expect(pod?.spec?.containers[0]?.env).toContainEqual({ name: 'ROWGRAPH_LOG_LEVEL', value: 'debug' });
  });

  it('keeps the pods of instances and external objects when it is uninstalled', async () => {
    await chart.helm('uninstall', '--wait');
    await waitFor('the pods of control planes and workers are deleted', async () => (await chart.pods()).length === ids.length, TIMEOUT_MS); // prettier-ignore
    for (const { metadata } of await chart.pods()) expect(metadata?.name).toMatch(/^graph-/);
    const left = async (path: string): Promise<readonly string[]> =>
      (await chart.admin.call<{ readonly items: readonly PodObject[] }>('GET', path)).items.map(
        ({ metadata }) => metadata?.name ?? '',
      );
    const at = `/api/v1/namespaces/${chart.namespace}`;
    expect(await left(`${at}/services`)).toEqual([]);
    expect(await left(`${at}/configmaps`)).toEqual(['kube-root-ca.crt']);
    expect(await left(`${at}/serviceaccounts`)).toEqual(['default']);
    expect(await left(`${at}/secrets`)).toEqual(['database', 'edge', 'internal', 's3']);
    expect(await left(`/apis/networking.k8s.io/v1/namespaces/${chart.namespace}/networkpolicies`)).toEqual([]);
    const ofCluster = await left('/apis/rbac.authorization.k8s.io/v1/clusterroles?labelSelector=app.kubernetes.io/part-of=rowgraph'); // prettier-ignore
    expect(ofCluster.filter((name) => name.startsWith(chart.namespace))).toEqual([]);
  });
});
