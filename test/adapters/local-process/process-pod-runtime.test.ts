import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isRight } from 'fp-ts/Either';
import { killTree, processIdentity } from '../../../adapters/system/process-table';
import { type PodTiming } from '../../../adapters/local-process/process-pod-runtime';
import { type PodStatus } from '../../../domain/instance';
import { waitFor } from '../../support/wait-for';
import { type PodSpec } from '../../../domain/ports/pod-runtime';
import { lives, openStandInPods, podSpec, type StandInPods } from './stand-in-pods';

interface Answer {
  readonly pid: number;
  readonly args: readonly string[];
  readonly directory: string;
}

const opened: StandInPods[] = [];
const open: typeof openStandInPods = async (options) => {
  const pods = await openStandInPods(options);
  opened.push(pods);
  return pods;
};
afterEach(() => Promise.all(opened.splice(0).map((pods) => pods.close())));

describe('a pod as a process', () => {
  it('works in a new folder of its own that goes with it', async () => {
    const pods = await open();
    const spec = podSpec();
    const folder = pods.folderOf(spec.instanceId);
    await mkdir(folder);
    await writeFile(join(folder, 'old'), 'x');
    await pods.runtime.createPod(spec);

    const answer = (await pods.ask(spec.urlSlug, '/')) as Answer;
    expect(answer).toMatchObject({ directory: folder, args: ['instance-7'] });
    expect(readdirSync(folder)).toEqual(['memory.max', 'pod.pid']);
    await pods.runtime.deletePod(spec.urlSlug);
    expect(existsSync(folder)).toBe(false);
  });

  it('gets the environment made for it', async () => {
    const pods = await open({ environmentFor: ({ instanceId }, folder) => ({ ID: String(instanceId), AT: folder }) });
    const spec = podSpec({ instanceId: 12 });
    await pods.runtime.createPod(spec);

    const answer = await pods.ask(spec.urlSlug, '/');
    expect(answer).toMatchObject({ environment: { ID: '12', AT: pods.folderOf(12) } });
  });

  it('finds its memory limit in a file', async () => {
    const pods = await open();
    const spec = podSpec();
    await pods.runtime.createPod(spec);
    const limit = (): string => readFileSync(join(pods.folderOf(spec.instanceId), 'memory.max'), 'utf8');
    expect(limit()).toBe(`${spec.memoryBytes}\n`);
    await pods.runtime.resizePod(spec.urlSlug, { memoryBytes: 2 ** 31, cpuCores: 1 });
    expect(limit()).toBe(`${2 ** 31}\n`);
  });

  it('that says that the kernel killed its engine has run out of memory', async () => {
    const pods = await open();
    const spec = podSpec();
    const ends: unknown[] = [];
    pods.runtime.onPodEnded(({ end }) => ends.push(end));
    await pods.runtime.createPod(spec);
    await pods.ask(spec.urlSlug, '/exit?code=112').catch(() => undefined);
    await waitFor('it has ended', () => ends.length > 0);
    expect(ends).toEqual([{ cause: 'out_of_memory', text: 'exit code 112' }]);
  });

  it('has its log lines passed on with the id of its instance', async () => {
    const pods = await open();
    const spec = podSpec();
    await pods.runtime.createPod(spec);
    const line = JSON.stringify({ level: 40, time: 1, pid: 2, msg: 'low on memory', instanceId: 7, free: 3 });
    await pods.ask(spec.urlSlug, `/write?to=stdout&line=${encodeURIComponent(line)}`);
    await waitFor('the line arrives', () => pods.logged.some((entry) => entry.includes('low on memory')));

    const logged = pods.logged.find((text) => text.includes('low on memory')) ?? '';
    expect(logged.match(/instanceId/g)).toHaveLength(1);
    expect(JSON.parse(logged)).toMatchObject({
      level: 40,
      msg: 'low on memory',
      free: 3,
      instanceId: 7,
    });
  });

  it('is reached under its port only while it runs', async () => {
    const pods = await open();
    const spec = podSpec();
    expect(pods.runtime.portOf(spec.urlSlug)).toBeNull();
    await pods.runtime.createPod(spec);
    expect(pods.runtime.portOf(spec.urlSlug)).toBeGreaterThan(0);
    await pods.runtime.deletePod(spec.urlSlug);
    expect(pods.runtime.portOf(spec.urlSlug)).toBeNull();
  });

  it('is rejected with its last words when it ends before it listens, and leaves nothing', async () => {
    const pods = await open({ environmentFor: () => ({ STAND_IN: 'fails' }) });
    const spec = podSpec();

    const reason = `it ended before it listened (exit code 3)\nthe mapping could not be fetched`;
    expect(await pods.runtime.createPod(spec)).toEqual({ _tag: 'Left', left: { kind: 'rejected', reason } });
    await expectNothingLeft(pods, spec);
  });

  it('is given up when it does not listen in time, and leaves nothing', async () => {
    const pods = await open({
      environmentFor: () => ({ STAND_IN: 'never-listens ignores-sigterm' }),
      timing: { listenWithinMs: 200 },
    });
    const spec = podSpec();

    const reason = 'it did not listen within 200 ms';
    expect(await pods.runtime.createPod(spec)).toEqual({ _tag: 'Left', left: { kind: 'unavailable', reason } });
    await expectNothingLeft(pods, spec);
  });

  it('is unavailable when its folder cannot be made', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'rowgraph-pods-'));
    await writeFile(join(directory, 'file'), 'x');
    const pods = await open({ directory: join(directory, 'file') });

    expect(await pods.runtime.createPod(podSpec())).toMatchObject({ left: { kind: 'unavailable' } });
    await rm(directory, { recursive: true });
  });

  it('is rejected where its kind does not run, and where its slug could lead out of the folder', async () => {
    const pods = await open();

    expect(await pods.runtime.createPod(podSpec({ wrapperType: 'graphdb_b' }))).toEqual({
      _tag: 'Left',
      left: { kind: 'rejected', reason: 'graphdb_b is not available on this platform; use graphdb_a' },
    });
    expect(await pods.runtime.createPod(podSpec({ urlSlug: '../x' }))).toMatchObject({ left: { kind: 'rejected' } });
  });

  it('that ignores SIGTERM is gone after the grace period, with everything it started', async () => {
    const pods = await open({ environmentFor: () => ({ STAND_IN: 'ignores-sigterm' }), timing: { graceMs: 200 } });
    const spec = podSpec();
    await pods.runtime.createPod(spec);
    const { pid } = (await pods.ask(spec.urlSlug, '/')) as Answer;
    const { pid: grandchild } = (await pods.ask(spec.urlSlug, '/grandchild?detached=true')) as Answer;

    expect(await pods.runtime.deletePod(spec.urlSlug)).toEqual({ _tag: 'Right', right: undefined });
    expect([pid, grandchild].filter(lives)).toEqual([]);
  });

  it('that is killed from outside is told with the signal once its engine is gone too', async () => {
    const pods = await open();
    const ended: PodStatus[] = [];
    pods.runtime.onPodEnded((pod) => ended.push(pod));
    const spec = podSpec();
    await pods.runtime.createPod(spec);
    const { pid } = (await pods.ask(spec.urlSlug, '/')) as Answer;
    const { pid: grandchild } = (await pods.ask(spec.urlSlug, '/grandchild')) as Answer;
    process.kill(pid, 'SIGKILL');
    await waitFor('the end is told', () => ended.length > 0);

    expect(ended).toMatchObject([{ urlSlug: spec.urlSlug, end: { cause: 'crashed', text: 'signal SIGKILL' } }]);
    expect(lives(grandchild)).toBe(false);
    expect(existsSync(pods.folderOf(spec.instanceId))).toBe(false);
  });
});

describe('a pod that does not answer its health', () => {
  const timing = { askEveryMs: 20, silentAfterMs: 100, lostAfterMs: 60_000, answerBeforeEndMs: 200 };
  const start = async (more: Partial<PodTiming> = {}) => {
    const pods = await open({ timing: { ...timing, ...more } });
    const spec = podSpec();
    await pods.runtime.createPod(spec);
    const ask = (path: string) => pods.ask(spec.urlSlug, path);
    const { pid } = (await ask('/')) as Answer;
    const untilSilent = () => pods.runtime.untilSilent(spec.urlSlug);
    return { runtime: pods.runtime, spec, ask, pid, untilSilent };
  };

  it('is told to be silent, until it answers again', async () => {
    const { pid, untilSilent } = await start();
    expect(untilSilent()?.aborted).toBe(false);
    const first = untilSilent();
    process.kill(pid, 'SIGSTOP');
    await waitFor('it is silent', () => first?.aborted === true);
    expect(untilSilent()?.aborted).toBe(true);
    process.kill(pid, 'SIGCONT');
    await waitFor('it is not', () => untilSilent()?.aborted === false);
  });

  it('is ended after a while, which is told as the reason', async () => {
    const { runtime, spec, pid } = await start({ lostAfterMs: 300 });
    const ended: PodStatus[] = [];
    runtime.onPodEnded((pod) => ended.push(pod));
    process.kill(pid, 'SIGSTOP');
    await waitFor('the end is told', () => ended.length > 0);

    expect(ended).toMatchObject([
      { urlSlug: spec.urlSlug, phase: 'ended', end: { cause: 'crashed', text: 'no health for 0.3 s' } },
    ]);
    expect(lives(pid)).toBe(false);
  });

  it('is deleted without the grace of a healthy one', async () => {
    const { runtime, spec, pid } = await start({ graceMs: 3_600_000 });
    process.kill(pid, 'SIGSTOP');
    expect(await runtime.deletePod(spec.urlSlug)).toEqual({ _tag: 'Right', right: undefined });
    expect(lives(pid)).toBe(false);
  });

  it('lives on when it was the control plane that stood still', async () => {
    const { ask, pid, untilSilent } = await start({ lostAfterMs: 300 });
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
    expect(await ask('/')).toMatchObject({ pid });
    expect(untilSilent()?.aborted).toBe(false);
    expect(await ask('/')).toMatchObject({ pid });
  });
});

describe('the end of the control plane', () => {
  it('ends all pods without telling anybody when it is clean, also one that just starts', async () => {
    const pods = await open({
      environmentFor: ({ instanceId }) => ({ STAND_IN: instanceId === 1 ? 'ignores-hang-up' : 'ignores-sigterm' }),
      timing: { hangUpMs: 500 },
    });
    const ended: PodStatus[] = [];
    pods.runtime.onPodEnded((pod) => ended.push(pod));
    const running = [podSpec({ instanceId: 1 }), podSpec({ instanceId: 2 })];
    await Promise.all(running.map((spec) => pods.runtime.createPod(spec)));
    const starting = podSpec({ instanceId: 3 });
    const late = pods.runtime.createPod(starting);
    await pods.runtime.stopAll();

    for (const spec of [...running, starting]) await expectNothingLeft(pods, spec);
    expect(await late).toMatchObject({ left: { kind: 'unavailable' } });
    expect(await pods.runtime.createPod(podSpec())).toMatchObject({ left: { kind: 'unavailable' } });
    expect(ended).toEqual([]);
  });

  it.each(['', 'ignores-hang-up ignores-sigterm'])(
    'leaves no pod and no grandchild after kill -9, and the next start no folder (pods: "%s")',
    async (habits) => {
      const directory = await mkdtemp(join(tmpdir(), 'rowgraph-pods-'));
      const host = fork(join(__dirname, '../../support/programs/pod-host.cjs'), {
        env: { ...process.env, DIST: join(packageRoot(__dirname), 'dist'), DIRECTORY: directory, STAND_IN: habits },
      });
      const [told] = (await once(host, 'message')) as [{ readonly pod: number; readonly grandchild: number }];
      expect([told.pod, told.grandchild].every(lives)).toBe(true);
      host.kill('SIGKILL');
      await waitFor('pod and grandchild are gone', () => !lives(told.pod) && !lives(told.grandchild));

      expect(readdirSync(directory)).toEqual(['instance-7']);
      const next = await open({ directory });
      await next.runtime.cleanUp();
      expect(readdirSync(directory)).toEqual([]);
    },
  );
});

describe('the clean-up at a start', () => {
  const leaveBehind = async (pods: StandInPods, change: (noted: object) => object): Promise<number> => {
    const spec = podSpec({ urlSlug: 'old' });
    await pods.runtime.createPod(spec);
    const { pid } = (await pods.ask(spec.urlSlug, '/')) as Answer;
    const pidFile = join(pods.folderOf(spec.instanceId), 'pod.pid');
    const noted = JSON.parse(await readFile(pidFile, 'utf8')) as object;
    await writeFile(pidFile, JSON.stringify(change(noted)));
    return pid;
  };

  it('ends a pod that an earlier life left behind and removes its folder', async () => {
    const earlier = await open();
    const pid = await leaveBehind(earlier, (noted) => noted);
    const later = await open({ directory: earlier.directory });
    await later.runtime.cleanUp();

    expect(lives(pid)).toBe(false);
    expect(readdirSync(earlier.directory)).toEqual([]);
  });

  it('leaves a process alone that only got the number of a former pod', async () => {
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

  it('removes a folder without a readable pid file, leaves other files alone, and needs no directory', async () => {
    const pods = await open();
    await mkdir(join(pods.directory, 'instance-9'));
    await writeFile(join(pods.directory, 'instance-9', 'pod.pid'), '{"pid":');
    await mkdir(join(pods.directory, 'graph-of-an-earlier-version'));
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
