import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isRight } from 'fp-ts/Either';
import { type PodTiming } from '../../../adapters/local-process/process-pod-runtime';
import { killTree, processIdentity } from '../../../adapters/system/process-table';
import { type PodStatus } from '../../../domain/instance';
import { type PodSpec } from '../../../domain/ports/pod-runtime';
import { waitFor } from '../../support/wait-for';
import { lives, openStandInPods, podSpec, type StandInPods } from './stand-in-pods';

interface Answer {
  readonly pid: number;
  readonly args: readonly string[];
  readonly directory: string;
}

const { signal } = new AbortController();
const opened: StandInPods[] = [];
const open: typeof openStandInPods = async (options) => {
  const pods = await openStandInPods(options);
  opened.push(pods);
  return pods;
};
afterEach(() => Promise.all(opened.splice(0).map((pods) => pods.close())));

describe('a pod as a local process', () => {
  it('runs in a new folder that is removed with it', async () => {
    const pods = await open();
    const spec = podSpec();
    const folder = pods.folderOf(spec.instanceId);
    await mkdir(folder);
    await writeFile(join(folder, 'old'), 'x');
    await pods.start(spec);

    const answer = (await pods.ask(spec.urlSlug, '/')) as Answer;
    expect(answer).toMatchObject({ directory: folder, args: ['instance-7'] });
    expect(readdirSync(folder)).toEqual(['cpu.max', 'memory.max', 'pod.pid']);
    await pods.end(spec);
    expect(existsSync(folder)).toBe(false);
  });

  it('receives exactly its own environment', async () => {
    const pods = await open({ environmentFor: ({ instanceId }, folder) => ({ ID: String(instanceId), AT: folder }) });
    const spec = podSpec({ instanceId: 12 });
    await pods.start(spec);

    const answer = await pods.ask(spec.urlSlug, '/');
    expect(answer).toMatchObject({ environment: { ID: '12', AT: pods.folderOf(12) } });
  });

  it('reads its limits from files', async () => {
    const pods = await open();
    const spec = podSpec();
    await pods.start(spec);
    const limits = (): string[] =>
      ['memory.max', 'cpu.max'].map((name) => readFileSync(join(pods.folderOf(spec.instanceId), name), 'utf8'));
    expect(limits()).toEqual([`${spec.memoryBytes}\n`, `${spec.cpuCores}00000 100000\n`]);
    await pods.runtime.resizePod(spec, { memoryBytes: 2 ** 31, cpuCores: 4 }, signal);
    expect(limits()).toEqual([`${2 ** 31}\n`, '400000 100000\n']);
  });

  it('is reported as out of memory when it exits with the code for an engine killed by the kernel', async () => {
    const pods = await open();
    const spec = podSpec();
    const ends: unknown[] = [];
    pods.runtime.onPodChanged(({ end }) => end !== null && ends.push(end));
    await pods.start(spec);
    await pods.ask(spec.urlSlug, '/exit?code=112').catch(() => undefined);
    await waitFor('the end of the pod is reported', () => ends.length > 0);
    expect(ends).toEqual([{ cause: 'out_of_memory', text: 'exit code 112' }]);
  });

  it('writes log lines that are forwarded with the id of its instance', async () => {
    const pods = await open();
    const spec = podSpec();
    await pods.start(spec);
    const line = JSON.stringify({ level: 40, time: 1, pid: 2, msg: 'low on memory', instanceId: 7, free: 3 });
    await pods.ask(spec.urlSlug, `/write?to=stdout&line=${encodeURIComponent(line)}`);
    await waitFor('the line is forwarded', () => pods.logged.some((entry) => entry.includes('low on memory')));

    const logged = pods.logged.find((text) => text.includes('low on memory')) ?? '';
    expect(logged.match(/instanceId/g)).toHaveLength(1);
    expect(JSON.parse(logged)).toMatchObject({
      level: 40,
      msg: 'low on memory',
      free: 3,
      instanceId: 7,
    });
  });

  it('has a route only while it runs', async () => {
    const pods = await open();
    const spec = podSpec();
    expect(pods.runtime.routeOf(spec.urlSlug)).toBeNull();
    await pods.start(spec);
    expect(pods.runtime.routeOf(spec.urlSlug)?.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    await pods.end(spec);
    expect(pods.runtime.routeOf(spec.urlSlug)).toBeNull();
  });

  it('a pod that exits before it listens is reported with its last lines, and its folder is removed', async () => {
    const pods = await open({ environmentFor: () => ({ STAND_IN: 'fails' }) });
    const spec = podSpec();

    await pods.runtime.createPod(spec, signal);
    await waitFor('the pod is listed as ended', async () => (await pods.statusOf(spec))?.phase === 'ended');

    const text = `exit code 3\nthe mapping could not be fetched`;
    expect(await pods.statusOf(spec)).toMatchObject({ reason: null, end: { cause: 'crashed', text } });
    await pods.end(spec);
    await expectNothingLeft(pods, spec);
  });

  it('a pod that does not listen in time is reported with the reason of the last attempt, and its folder is removed', async () => {
    const pods = await open({
      environmentFor: () => ({ STAND_IN: 'never-listens ignores-sigterm' }),
      timing: { listenWithinMs: 200, retryFirstMs: 10 },
    });
    const spec = podSpec();
    await pods.runtime.createPod(spec, signal);
    await waitFor('the pod is listed with a reason', async () => (await pods.statusOf(spec))?.reason != null);

    expect(await pods.statusOf(spec)).toMatchObject({ phase: 'starting', reason: 'it did not listen within 200 ms' });
    await waitFor('the pod is restarted', () => pods.programsOf(spec.instanceId).length > 0);
    await pods.end(spec);
    await expectNothingLeft(pods, spec);
  });

  it('starts as soon as its folder can be created', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'rowgraph-pods-'));
    await writeFile(join(directory, 'file'), 'x');
    const pods = await open({ directory: join(directory, 'file'), timing: { retryFirstMs: 10 } });
    const spec = podSpec();
    await pods.runtime.createPod(spec, signal);
    await waitFor('the pod is listed with a reason', async () => (await pods.statusOf(spec))?.reason != null);
    await rm(join(directory, 'file'));
    await waitFor('the pod is ready', async () => (await pods.statusOf(spec))?.phase === 'ready');
    await pods.close();
    await rm(directory, { recursive: true });
  });

  it('is rejected where its kind cannot run, and when its slug could leave the folder', async () => {
    const pods = await open();

    expect(await pods.runtime.createPod(podSpec({ wrapperType: 'graphdb_b' }), signal)).toEqual({
      _tag: 'Left',
      left: { kind: 'rejected', reason: 'graphdb_b is not available on this platform; use graphdb_a' },
    });
    expect(await pods.runtime.createPod(podSpec({ urlSlug: '../x' }), signal)).toMatchObject({
      left: { kind: 'rejected' },
    });
  });

  it('a pod that ignores SIGTERM is killed after the grace period, with all its child processes', async () => {
    const pods = await open({ environmentFor: () => ({ STAND_IN: 'ignores-sigterm' }), timing: { graceMs: 200 } });
    const spec = podSpec();
    await pods.start(spec);
    const { pid } = (await pods.ask(spec.urlSlug, '/')) as Answer;
    const { pid: grandchild } = (await pods.ask(spec.urlSlug, '/grandchild?detached=true')) as Answer;

    await pods.end(spec);
    expect([pid, grandchild].filter(lives)).toEqual([]);
  });

  it('a pod that is killed externally is reported with the signal after its engine has ended', async () => {
    const pods = await open();
    const ended: PodStatus[] = [];
    pods.runtime.onPodChanged((pod) => pod.phase === 'ended' && ended.push(pod));
    const spec = podSpec();
    await pods.start(spec);
    const { pid } = (await pods.ask(spec.urlSlug, '/')) as Answer;
    const { pid: grandchild } = (await pods.ask(spec.urlSlug, '/grandchild')) as Answer;
    process.kill(pid, 'SIGKILL');
    await waitFor('the end of the pod is reported', () => ended.length > 0);

    expect(ended).toMatchObject([{ urlSlug: spec.urlSlug, end: { cause: 'crashed', text: 'signal SIGKILL' } }]);
    expect(lives(grandchild)).toBe(false);
    expect(existsSync(pods.folderOf(spec.instanceId))).toBe(false);
  });
});

describe('a pod that fails its health checks', () => {
  const timing = { checkEveryMs: 20, unresponsiveAfterMs: 500, lostAfterMs: 60_000, answerBeforeEndMs: 200 };
  const start = async (more: Partial<PodTiming> = {}) => {
    const pods = await open({ timing: { ...timing, ...more } });
    const spec = podSpec();
    await pods.start(spec);
    const ask = (path: string) => pods.ask(spec.urlSlug, path);
    const { pid } = (await ask('/')) as Answer;
    const unresponsiveSignal = () => pods.runtime.routeOf(spec.urlSlug)?.unresponsive;
    return { runtime: pods.runtime, end: () => pods.end(spec), spec, ask, pid, unresponsiveSignal };
  };

  it('is reported as unresponsive until it answers again', async () => {
    const { pid, unresponsiveSignal } = await start();
    await waitFor('the pod is responsive', () => unresponsiveSignal()?.aborted === false);
    const first = unresponsiveSignal();
    process.kill(pid, 'SIGSTOP');
    await waitFor('the pod is reported as unresponsive', () => first?.aborted === true);
    expect(unresponsiveSignal()?.aborted).toBe(true);
    process.kill(pid, 'SIGCONT');
    await waitFor('the pod is reported as responsive', () => unresponsiveSignal()?.aborted === false);
  });

  it('is killed after a time limit, which is reported as the reason', async () => {
    const { runtime, spec, pid } = await start({ lostAfterMs: 2_000 });
    const ended: PodStatus[] = [];
    runtime.onPodChanged((pod) => pod.phase === 'ended' && ended.push(pod));
    process.kill(pid, 'SIGSTOP');
    await waitFor('the end of the pod is reported', () => ended.length > 0);

    expect(ended).toMatchObject([
      { urlSlug: spec.urlSlug, phase: 'ended', end: { cause: 'crashed', text: 'no health for 2 s' } },
    ]);
    expect(lives(pid)).toBe(false);
  });

  it('is deleted without the grace period of a healthy one', async () => {
    const { end, pid } = await start({ graceMs: 3_600_000 });
    process.kill(pid, 'SIGSTOP');
    await end();
    expect(lives(pid)).toBe(false);
  });

  it('survives when the control plane itself was frozen', async () => {
    const { ask, pid, unresponsiveSignal } = await start({ lostAfterMs: 2_000 });
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3_000);
    expect(await ask('/')).toMatchObject({ pid });
    await waitFor('the pod is responsive', () => unresponsiveSignal()?.aborted === false);
    expect(await ask('/')).toMatchObject({ pid });
  });
});

describe('the exit of the control plane', () => {
  it('ends all pods without an event when it is clean, including one that is just starting', async () => {
    const pods = await open({
      environmentFor: ({ instanceId }) => ({ STAND_IN: instanceId === 1 ? 'ignores-hang-up' : 'ignores-sigterm' }),
      timing: { disconnectMs: 500 },
    });
    const ended: PodStatus[] = [];
    pods.runtime.onPodChanged((pod) => pod.phase === 'ended' && ended.push(pod));
    const running = [podSpec({ instanceId: 1 }), podSpec({ instanceId: 2 })];
    await Promise.all(running.map((spec) => pods.start(spec)));
    const starting = podSpec({ instanceId: 3 });
    await pods.runtime.createPod(starting, signal);
    await pods.runtime.stopAll();

    for (const spec of [...running, starting]) await expectNothingLeft(pods, spec);
    expect(await pods.runtime.createPod(podSpec(), signal)).toMatchObject({ left: { kind: 'unavailable' } });
    expect(ended).toEqual([]);
  });

  it.each(['', 'ignores-hang-up ignores-sigterm'])(
    'leaves no pod or grandchild process after kill -9, and no folder after the next start (pods: "%s")',
    async (habits) => {
      const directory = await mkdtemp(join(tmpdir(), 'rowgraph-pods-'));
      const host = fork(join(__dirname, '../../support/programs/pod-host.cjs'), {
        env: { ...process.env, DIST: join(packageRoot(__dirname), 'dist'), DIRECTORY: directory, STAND_IN: habits },
      });
      const [pids] = (await once(host, 'message')) as [{ readonly pod: number; readonly grandchild: number }];
      expect([pids.pod, pids.grandchild].every(lives)).toBe(true);
      host.kill('SIGKILL');
      await waitFor('the pod and its grandchild process have ended', () => !lives(pids.pod) && !lives(pids.grandchild));

      expect(readdirSync(directory)).toEqual(['instance-7']);
      const next = await open({ directory });
      await next.runtime.cleanUp();
      expect(readdirSync(directory)).toEqual([]);
    },
  );
});

describe('the cleanup at a start', () => {
  const leaveBehind = async (pods: StandInPods, change: (noted: object) => object): Promise<number> => {
    const spec = podSpec({ urlSlug: 'old' });
    await pods.start(spec);
    const { pid } = (await pods.ask(spec.urlSlug, '/')) as Answer;
    const pidFile = join(pods.folderOf(spec.instanceId), 'pod.pid');
    const noted = JSON.parse(await readFile(pidFile, 'utf8')) as object;
    await writeFile(pidFile, JSON.stringify(change(noted)));
    return pid;
  };

  it('ends a pod of an earlier run and removes its folder', async () => {
    const earlier = await open();
    const pid = await leaveBehind(earlier, (noted) => noted);
    const later = await open({ directory: earlier.directory });
    await later.runtime.cleanUp();

    expect(lives(pid)).toBe(false);
    expect(readdirSync(earlier.directory)).toEqual([]);
  });

  it('does not end a process that has reused the pid of a former pod', async () => {
    const earlier = await open();
    const pid = await leaveBehind(earlier, (noted) => ({ ...noted, startTime: 'another time' }));
    const stranger = { pid: process.pid, startTime: processIdentity(process.pid)?.startTime };
    await mkdir(join(earlier.directory, 'instance-8'));
    await writeFile(join(earlier.directory, 'instance-8', 'pod.pid'), JSON.stringify(stranger));
    const later = await open({ directory: earlier.directory });
    await later.runtime.cleanUp();

    expect(lives(pid)).toBe(true);
    expect(readdirSync(earlier.directory)).toEqual([]);
    await killTree(pid);
  });

  it('removes a folder without a readable pid file, keeps other files, and accepts a missing directory', async () => {
    const pods = await open();
    await mkdir(join(pods.directory, 'instance-9'));
    await writeFile(join(pods.directory, 'instance-9', 'pod.pid'), '{"pid":');
    await mkdir(join(pods.directory, 'instance-10'));
    await writeFile(join(pods.directory, 'notes'), 'x');
    await pods.runtime.cleanUp();

    expect(readdirSync(pods.directory)).toEqual(['notes']);
    await (await open({ directory: join(pods.directory, 'missing') })).runtime.cleanUp();
  });
});

const expectNothingLeft = async (pods: StandInPods, { instanceId, urlSlug }: PodSpec): Promise<void> => {
  expect(pods.programsOf(instanceId)).toEqual([]);
  expect(existsSync(pods.folderOf(instanceId))).toBe(false);
  const listed = await pods.runtime.listPods();
  expect(isRight(listed) && listed.right.filter((pod) => pod.urlSlug === urlSlug)).toEqual([]);
};

const packageRoot = (folder: string): string =>
  existsSync(join(folder, 'package.json')) ? folder : packageRoot(dirname(folder));
