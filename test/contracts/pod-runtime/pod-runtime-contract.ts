import { randomUUID } from 'node:crypto';
import { isRight } from 'fp-ts/Either';
import { type PodStatus } from '../../../domain/instance';
import { type PodRuntime, type PodsOf, type PodSpec } from '../../../domain/ports/pod-runtime';
import { waitFor } from '../../support/wait-for';

/** A runtime, and a test's actions on its pods from outside the runtime. */
export interface PodRuntimeBench {
  readonly runtime: PodRuntime;
  /** The number of pods of an instance that actually run, regardless of the state in the runtime. */
  running(instanceId: number): Promise<number>;
  /** Makes a pod exit. */
  exit(urlSlug: string, code: number): Promise<void>;
  /** Makes a pod use more memory than its specification allows. */
  exceedMemory(urlSlug: string): Promise<void>;
  close(): Promise<void>;
}

let lastInstanceId = 0;

const spec = (change: Partial<PodSpec> = {}): PodSpec => {
  const urlSlug = randomUUID();
  return {
    instanceId: ++lastInstanceId,
    urlSlug,
    life: 1,
    wrapperType: 'graphdb_a',
    ownerUsername: 'ada',
    memoryBytes: 256 * 1024 * 1024,
    cpuCores: 1,
    snapshotBytes: 1_000_000,
    instanceUrl: `https://graphs.example/${urlSlug}`,
    ...change,
  };
};
const allOf = ({ instanceId, urlSlug }: PodSpec): PodsOf => ({ instanceId, urlSlug, life: null });
const { signal } = new AbortController();
const ORDERED = { _tag: 'Right', right: 'ordered' };
const ABSENT = { _tag: 'Right', right: 'absent' };

/** The contract of pod runtimes. `open` returns one without pods. */
export const describePodRuntime = (name: string, open: () => Promise<PodRuntimeBench>): void => {
  describe(`the pod runtime on ${name}`, () => {
    let bench: PodRuntimeBench;
    let runtime: PodRuntime;
    let changes: PodStatus[];

    beforeEach(async () => {
      bench = await open();
      runtime = bench.runtime;
      changes = [];
      runtime.onPodChanged((pod) => changes.push(pod));
    });
    afterEach(() => bench.close());

    const listed = async (urlSlug: string, life = 1): Promise<PodStatus | undefined> => {
      const pods = await runtime.listPods();
      if (!isRight(pods)) throw new Error(pods.left.reason);
      return pods.right.find((pod) => pod.urlSlug === urlSlug && pod.life === life);
    };
    const ended = (urlSlug: string): readonly PodStatus[] =>
      changes.filter((pod) => pod.urlSlug === urlSlug && pod.phase === 'ended');
    const create = async (pod: PodSpec): Promise<void> => {
      expect(await runtime.createPod(pod, signal)).toEqual({ _tag: 'Right', right: undefined });
      await waitFor('the pod is ready', async () => (await listed(pod.urlSlug, pod.life))?.phase === 'ready');
    };
    const gone = (pod: PodSpec): Promise<void> =>
      waitFor('the pod is deleted', async () => (await listed(pod.urlSlug, pod.life)) === undefined);
    const remove = async (pod: PodSpec): Promise<void> => {
      expect(await runtime.deletePod(pod, signal)).toEqual(ORDERED);
      await gone(pod);
    };

    it('starts a pod and lists it with its instance, life and route', async () => {
      const pod = spec({ instanceId: 42 });
      expect(runtime.routeOf(pod.urlSlug)).toBeNull();
      await create(pod);

      expect(await bench.running(pod.instanceId)).toBe(1);
      expect(await listed(pod.urlSlug)).toEqual({
        podName: `graph-${pod.urlSlug}-1`,
        instanceId: 42,
        urlSlug: pod.urlSlug,
        life: 1,
        phase: 'ready',
        reason: null,
        end: null,
      });
      expect(runtime.routeOf(pod.urlSlug)).toMatchObject({ instanceId: 42, life: 1 });
      expect(runtime.routeOf(pod.urlSlug)?.unresponsive.aborted).toBe(false);
      expect(changes.at(-1)).toMatchObject({ instanceId: 42, phase: 'ready' });
    });

    it('starts one pod for repeated and concurrent requests', async () => {
      const pod = spec();
      await Promise.all(Array.from({ length: 8 }, () => create(pod)));
      await create(pod);

      expect(await bench.running(pod.instanceId)).toBe(1);
    });

    it('deletes only the given life', async () => {
      const pod = spec();
      const next = { ...pod, life: 2 };
      await create(pod);
      await create(next);
      await runtime.deletePod(pod, signal);
      await gone(pod);
      await waitFor('exactly one pod runs', async () => (await bench.running(pod.instanceId)) === 1);

      expect(await listed(pod.urlSlug, 2)).toMatchObject({ life: 2, phase: 'ready' });
      expect(runtime.routeOf(pod.urlSlug)?.life).toBe(2);
    });

    it('deletes all lives of an instance', async () => {
      const pod = spec();
      const next = { ...pod, life: 2 };
      await create(pod);
      await create(next);
      expect(await runtime.deletePod(allOf(pod), signal)).toEqual(ORDERED);
      await gone(pod);
      await gone(next);

      expect(await bench.running(pod.instanceId)).toBe(0);
      expect(await runtime.deletePod(allOf(pod), signal)).toEqual(ABSENT);
    });

    it('deletes a pod, reports that, and keeps the others', async () => {
      const [first, second] = [spec(), spec()];
      await Promise.all([create(first), create(second)]);
      await remove(first);

      expect(await bench.running(first.instanceId)).toBe(0);
      await waitFor('the end of the pod is reported', () => ended(first.urlSlug).length > 0);
      expect(ended(first.urlSlug).at(-1)).toMatchObject({ life: 1, end: { cause: 'stopped' } });
      expect(runtime.routeOf(first.urlSlug)).toBeNull();
      expect(await bench.running(second.instanceId)).toBe(1);
      expect(ended(second.urlSlug)).toEqual([]);
    });

    it('reports that an unknown pod is absent, and accepts a repeated request', async () => {
      const pod = spec();
      expect(await runtime.deletePod(allOf(pod), signal)).toEqual(ABSENT);
      await create(pod);
      await Promise.all([remove(pod), runtime.deletePod(pod, signal)]);
      expect(await runtime.deletePod(pod, signal)).toEqual(ABSENT);
    });

    it('deletes a pod that is still starting', async () => {
      const pod = spec();
      await runtime.createPod(pod, signal);
      await remove(pod);

      expect(await bench.running(pod.instanceId)).toBe(0);
      expect(changes.some(({ phase }) => phase === 'ready')).toBe(false);
    });

    it('reports that a pod exited, and lists it until it is deleted', async () => {
      const pod = spec();
      await create(pod);
      await bench.exit(pod.urlSlug, 3);
      await waitFor('the end of the pod is reported', () => ended(pod.urlSlug).length > 0);

      const status = await listed(pod.urlSlug);
      expect(status).toMatchObject({ phase: 'ended', end: { cause: 'crashed' }, instanceId: pod.instanceId });
      expect(status?.end?.text).toContain('exit code 3');
      expect(ended(pod.urlSlug)[0]).toEqual(status);
      expect(runtime.routeOf(pod.urlSlug)).toBeNull();
      await remove(pod);
    });

    it('does not restart a life that has ended', async () => {
      const pod = spec();
      await create(pod);
      await bench.exit(pod.urlSlug, 1);
      await waitFor('the end of the pod is reported', () => ended(pod.urlSlug).length > 0);
      expect(await runtime.createPod(pod, signal)).toEqual({ _tag: 'Right', right: undefined });
      await create({ ...pod, life: 2 });

      expect(await bench.running(pod.instanceId)).toBe(1);
    });

    it('does not call a listener after its subscription has ended', async () => {
      const heard: PodStatus[] = [];
      runtime.onPodChanged((pod) => heard.push(pod))();
      await create(spec());

      expect(changes.length).toBeGreaterThan(0);
      expect(heard).toEqual([]);
    });

    it('does nothing with an aborted signal', async () => {
      const pod = spec();
      const unavailable = { _tag: 'Left', left: { kind: 'unavailable' } };
      const aborted = AbortSignal.abort();
      expect(await runtime.createPod(pod, aborted)).toMatchObject(unavailable);
      await create(pod);
      expect(await runtime.deletePod(pod, aborted)).toMatchObject(unavailable);
      expect(await runtime.resizePod(pod, { memoryBytes: 2 ** 30, cpuCores: 1 }, aborted)).toMatchObject(unavailable);

      expect(await listed(pod.urlSlug)).toMatchObject({ phase: 'ready' });
    });

    it('ends a pod that exceeds its memory as out of memory, and no other', async () => {
      const [greedy, modest] = [spec(), spec()];
      await Promise.all([create(greedy), create(modest)]);
      await bench.exceedMemory(greedy.urlSlug);
      await waitFor('the end of the pod is reported', () => ended(greedy.urlSlug).length > 0);

      expect(ended(greedy.urlSlug)[0]).toMatchObject({ phase: 'ended', end: { cause: 'out_of_memory' } });
      expect(await bench.running(greedy.instanceId)).toBe(0);
      expect(await bench.running(modest.instanceId)).toBe(1);
    });

    it('lets a pod use as much memory as its new size allows, and no other', async () => {
      const [grown, modest] = [spec(), spec()];
      await Promise.all([create(grown), create(modest)]);
      const size = { memoryBytes: 4 * grown.memoryBytes, cpuCores: 2 };
      expect(await runtime.resizePod(grown, size, signal)).toEqual({ _tag: 'Right', right: 'now' });
      await bench.exceedMemory(grown.urlSlug);
      await bench.exceedMemory(modest.urlSlug);
      await waitFor('the end of the pod is reported', () => ended(modest.urlSlug).length > 0);

      expect(ended(modest.urlSlug)[0]).toMatchObject({ end: { cause: 'out_of_memory' } });
      expect(await bench.running(grown.instanceId)).toBe(1);
    });

    it('applies the same size that is requested several times at once', async () => {
      const pod = spec();
      await create(pod);
      const size = { memoryBytes: 2 * pod.memoryBytes, cpuCores: 2 };
      const orders = Array.from({ length: 8 }, () => runtime.resizePod(pod, size, signal));
      expect(await Promise.all(orders)).toEqual(orders.map(() => ({ _tag: 'Right', right: 'now' })));
    });

    it('reports that the size of an unknown pod applies from the next start', async () => {
      const size = { memoryBytes: 1024 ** 3, cpuCores: 1 };
      expect(await runtime.resizePod(spec(), size, signal)).toEqual({ _tag: 'Right', right: 'at_next_start' });
    });
  });
};
