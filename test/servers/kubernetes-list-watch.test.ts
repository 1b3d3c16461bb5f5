import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as t from 'io-ts';
import { pino } from 'pino';
import { ApiClient, type ApiRequest } from '../../adapters/kubernetes/api-client';
import { ListWatch, type ListWatchOptions } from '../../adapters/kubernetes/list-watch';
import { waitFor } from '../support/wait-for';
import { createNamespace } from './support/kubernetes/create-namespace';
import { type CutConnections, cutConnections } from './support/kubernetes/cut-connections';
import { adminKubeconfig, describeWithKubernetes } from './support/kubernetes/describe-with-kubernetes';
import { type KubeApi, type KubeEvent, MERGE, openKubeApi } from './support/kubernetes/kube-api';
import { openClient } from './support/kubernetes/open-client';

const Followed = t.intersection([
  t.type({ metadata: t.type({ name: t.string, uid: t.string, resourceVersion: t.string }) }),
  t.partial({ data: t.record(t.string, t.string) }),
]);
type Followed = t.TypeOf<typeof Followed>;

const eventNamed = (name: string, namespace: string): object => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name, labels: { followed: 'yes' } },
  involvedObject: { kind: 'Pod', name, namespace },
  reason: 'Test',
});

describeWithKubernetes('following the objects of an API server', () => {
  const namespace = `watch-${randomUUID().slice(0, 8)}`;
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  const folder = mkdtempSync(join(tmpdir(), 'list-watch-'));
  let admin: KubeApi;
  let removeNamespace: () => Promise<void>;
  let relay: CutConnections;
  let api: ApiClient;
  let end: () => Promise<void>;
  let seen: string[];

  beforeAll(async () => {
    admin = openKubeApi(adminKubeconfig());
    removeNamespace = await createNamespace(admin, namespace);
    relay = await cutConnections(admin.url, adminKubeconfig(), join(folder, 'kubeconfig'));
    api = await openClient(relay.kubeconfig);
  });
  afterEach(() => end());
  afterAll(async () => {
    api.close();
    await relay.close();
    await removeNamespace();
    rmSync(folder, { recursive: true });
  });

  const set = (name: string, value: string): Promise<void> =>
    admin.apply(`${path}/${name}`, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, labels: { followed: 'yes' } },
      data: { value },
    });
  const remove = (name: string): Promise<unknown> => admin.call('DELETE', `${path}/${name}`);
  const follow = async (timing: ListWatchOptions<Followed>['timing'] = {}, of = path): Promise<ListWatch<Followed>> => {
    seen = [];
    const watch = new ListWatch({
      api,
      path: of,
      labelSelector: 'followed',
      codec: Followed,
      onChange: ({ metadata: { name }, data }, isGone) =>
        seen.push(isGone ? `-${name}` : data === undefined ? name : `${name}=${data['value'] ?? ''}`),
      log: pino({ level: process.env['LOG'] ?? 'silent' }),
      timing: { maxPauseMs: 500, ...timing },
    });
    const stopping = new AbortController();
    const running = watch.run(stopping.signal);
    end = () => {
      stopping.abort();
      return running;
    };
    expect(watch.problem).toMatch('not listed yet');
    await waitFor('the pods are listed', () => watch.problem === null);
    return watch;
  };
  const firstEvents = async (watched: string): Promise<readonly KubeEvent<unknown>[]> => {
    const events: KubeEvent<unknown>[] = [];
    await admin.watch<unknown>(watched, (event) => events.push(event), AbortSignal.timeout(5_000));
    return events;
  };
  const valuesOf = (watch: ListWatch<Followed>): Record<string, string> =>
    Object.fromEntries([...watch.objects.values()].map(({ metadata, data }) => [metadata.name, data?.['value'] ?? '']));
  const until = (line: string): Promise<void> => waitFor(line, () => seen.includes(line));

  it('lists existing pods, and then follows additions, changes and removals', async () => {
    await set('old', '1');
    const watch = await follow();
    expect(valuesOf(watch)).toMatchObject({ old: '1' });
    await set('new', '1');
    await until('new=1');
    await set('new', '2');
    await until('new=2');
    await remove('old');
    await until('-old');

    expect(seen).toEqual(['old=1', 'new=1', 'new=2', '-old']);
    expect(valuesOf(watch)).toEqual({ new: '2' });
  });

  it('loses and repeats nothing while its connections break 50 times', async () => {
    const watch = await follow();
    const lines = Array.from({ length: 50 }, (_, count) => `often=${count}`);
    for (const [count, line] of lines.entries()) {
      relay.cut();
      await set('often', String(count));
      await until(line);
    }

    expect(seen.filter((line) => line.startsWith('often'))).toEqual(lines);
    expect(watch.problem).toBeNull();
    await remove('often');
  });

  it('reports that it does not follow while the server is unavailable, and finds pods that disappeared meanwhile', async () => {
    await set('lost', '1');
    const watch = await follow();
    relay.takeDown();
    await waitFor('the error is reported', () => watch.problem !== null);
    expect(watch.problem).toMatch(/ECONNRESET|socket|TLS/);
    expect(valuesOf(watch)).toMatchObject({ lost: '1' });
    await remove('lost');
    await set('found', '1');
    relay.restore();
    await until('-lost');
    await until('found=1');

    expect(watch.problem).toBeNull();
  });

  it('lists again when its version is too old: 410 within an answer 200', async () => {
    // Only events are watched without a cache, so that the compaction of etcd can be seen.
    const events = `/api/v1/namespaces/${namespace}/events`;
    await waitFor('the first version is compacted; see test/servers/README.md for the interval', async () => {
      const [first] = await firstEvents(`${events}?watch=true&timeoutSeconds=1&resourceVersion=1`);
      return first?.type === 'ERROR' && (first.object as { code?: number }).code === 410;
    });
    const isWatch = ({ query }: ApiRequest): boolean => query?.['watch'] === 'true';
    const genuine = ApiClient.prototype.open.bind(api);
    let [asked, lists] = [0, 0];
    const open = jest.spyOn(api, 'open').mockImplementation((request, signal) => {
      if (!isWatch(request)) lists++;
      // The first watch continues from an old version.
      const isFirst = isWatch(request) && asked++ === 0;
      return genuine(isFirst ? { ...request, query: { ...request.query, resourceVersion: '1' } } : request, signal);
    });
    const watch = await follow({}, events);
    await waitFor('the pods are listed and watched again', () => lists === 2 && asked === 2);
    open.mockRestore();
    await admin.call('POST', events, eventNamed('after', namespace));
    await until('after');

    expect(watch.problem).toBeNull();
  });

  it('lists again after an idle time, and regularly', async () => {
    const watch = await follow({ idleAfterMs: 200, relistEveryMs: 1_000 });
    const before = relay.opened();
    await set('quiet', '1');
    await until('quiet=1');
    await waitFor('unresponsive connections are replaced', () => relay.opened() > before + 2);

    expect(watch.problem).toBeNull();
    expect(seen.filter((line) => line === 'quiet=1')).toHaveLength(1);
    await admin.call('PATCH', `${path}/quiet`, { data: { value: '2' } }, MERGE);
    await until('quiet=2');
  });

  it('calls nothing once it has been stopped', async () => {
    await follow();
    const startedAt = performance.now();
    await end();
    expect(performance.now() - startedAt).toBeLessThan(1_000);
    const before = [...seen];
    await set('late', '1');
    await follow().then(() => until('late=1'));

    expect(before).not.toContain('late=1');
  });
});
