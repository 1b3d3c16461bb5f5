import { randomUUID } from 'node:crypto';
import { isRight } from 'fp-ts/Either';
import { type PodRuntime, type PodSpec } from '../../../domain/ports/pod-runtime';
import { type PodStatus } from '../../../domain/instance';
import { waitFor } from '../../support/wait-for';

/** A runtime and what a test may do to its pods from outside. */
export interface PodRuntimeBench {
  readonly runtime: PodRuntime;
  /** How many pods of an instance really run, whatever the runtime believes. */
  running(instanceId: number): Promise<number>;
  /** Makes a pod end by itself. */
  exit(urlSlug: string, code: number): Promise<void>;
  /** Makes a pod hold more memory than its specification allows. */
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
    instanceUrl: `https://graphs.example/${urlSlug}`,
    ...change,
  };
};

/** What every pod runtime promises. `open` gives one that has no pods. */
export const describePodRuntime = (name: string, open: () => Promise<PodRuntimeBench>): void => {
  describe(`the pod runtime on ${name}`, () => {
    let bench: PodRuntimeBench;
    let runtime: PodRuntime;
    let ended: PodStatus[];

    beforeEach(async () => {
      bench = await open();
      runtime = bench.runtime;
      ended = [];
      runtime.onPodEnded((pod) => ended.push(pod));
    });
    afterEach(() => bench.close());

    const listed = async (urlSlug: string): Promise<PodStatus | undefined> => {
      const pods = await runtime.listPods();
      if (!isRight(pods)) throw new Error(pods.left.reason);
      return pods.right.find((pod) => pod.urlSlug === urlSlug);
    };
    const create = async (pod: PodSpec): Promise<void> => {
      expect(await runtime.createPod(pod)).toEqual({ _tag: 'Right', right: undefined });
      await waitFor('the pod runs', async () => (await listed(pod.urlSlug))?.phase === 'running');
    };
    const remove = async (urlSlug: string): Promise<void> => {
      expect(await runtime.deletePod(urlSlug)).toEqual({ _tag: 'Right', right: undefined });
    };

    it('starts a pod and lists it with its instance', async () => {
      const pod = spec({ instanceId: 42 });
      await create(pod);

      expect(await bench.running(pod.instanceId)).toBe(1);
      expect(await listed(pod.urlSlug)).toMatchObject({
        podName: `graph-${pod.urlSlug}`,
        instanceId: 42,
        urlSlug: pod.urlSlug,
        life: 1,
        phase: 'running',
        end: null,
      });
    });

    it('starts one pod, however often and at the same time it is asked for it', async () => {
      const pod = spec();
      await Promise.all(Array.from({ length: 8 }, () => create(pod)));
      await create(pod);

      expect(await bench.running(pod.instanceId)).toBe(1);
    });

    it('replaces a pod by one of a later life, and deletes only the life that is named', async () => {
      const pod = spec();
      await create(pod);
      await create({ ...pod, life: 2 });
      expect(await listed(pod.urlSlug)).toMatchObject({ life: 2, phase: 'running' });
      expect(await runtime.deletePod(pod.urlSlug, 1)).toEqual({ _tag: 'Right', right: undefined });

      expect(await bench.running(pod.instanceId)).toBe(1);
      expect(ended).toEqual([]);
    });

    it('refuses a slug that belongs to another instance', async () => {
      const pod = spec();
      await create(pod);

      expect(await runtime.createPod({ ...pod, instanceId: pod.instanceId + 1 })).toMatchObject({
        left: { kind: 'rejected' },
      });
      expect(await listed(pod.urlSlug)).toMatchObject({ instanceId: pod.instanceId, phase: 'running' });
    });

    it('deletes a pod and leaves the others', async () => {
      const [first, second] = [spec(), spec()];
      await Promise.all([create(first), create(second)]);
      await remove(first.urlSlug);

      expect(await bench.running(first.instanceId)).toBe(0);
      expect(await listed(first.urlSlug)).toBeUndefined();
      expect(await bench.running(second.instanceId)).toBe(1);
    });

    it('deletes an unknown pod, and one twice, with success', async () => {
      const pod = spec();
      await remove(pod.urlSlug);
      await create(pod);
      await Promise.all([remove(pod.urlSlug), remove(pod.urlSlug)]);
    });

    it('creates a pod anew while its deletion is under way', async () => {
      const pod = spec();
      await create(pod);
      await Promise.all([remove(pod.urlSlug), create(pod)]);

      expect(await bench.running(pod.instanceId)).toBe(1);
      expect(await listed(pod.urlSlug)).toMatchObject({ phase: 'running', end: null });
    });

    it('deletes a pod that is still being started', async () => {
      const pod = spec();
      const creating = runtime.createPod(pod);
      await remove(pod.urlSlug);
      await creating;

      expect(await bench.running(pod.instanceId)).toBe(0);
      expect(await listed(pod.urlSlug)).toBeUndefined();
      expect(ended).toEqual([]);
    });

    it('tells once that a pod ended by itself, and lists it until it is deleted', async () => {
      const pod = spec();
      await create(pod);
      await bench.exit(pod.urlSlug, 3);
      await waitFor('the end is told', () => ended.length > 0);

      const status = await listed(pod.urlSlug);
      expect(status).toMatchObject({
        phase: 'ended',
        end: { cause: 'crashed', text: 'exit code 3' },
        instanceId: pod.instanceId,
      });
      await remove(pod.urlSlug);
      expect(await listed(pod.urlSlug)).toBeUndefined();
      expect(ended).toEqual([status]);
    });

    it('tells nothing about a pod that was deleted', async () => {
      const pod = spec();
      await create(pod);
      await remove(pod.urlSlug);
      const other = spec();
      await create(other);
      await bench.exit(other.urlSlug, 1);
      await waitFor('the end of the other is told', () => ended.length > 0);

      expect(ended.map(({ urlSlug }) => urlSlug)).toEqual([other.urlSlug]);
    });

    it('tells nothing to those who stopped listening', async () => {
      const heard: PodStatus[] = [];
      runtime.onPodEnded((pod) => heard.push(pod))();
      const pod = spec();
      await create(pod);
      await bench.exit(pod.urlSlug, 1);
      await waitFor('the end is told', () => ended.length > 0);

      expect(heard).toEqual([]);
    });

    it('starts a pod again that had ended by itself', async () => {
      const pod = spec();
      await create(pod);
      await bench.exit(pod.urlSlug, 1);
      await waitFor('the end is told', () => ended.length > 0);
      await create(pod);

      expect(await bench.running(pod.instanceId)).toBe(1);
      expect(await listed(pod.urlSlug)).toMatchObject({ phase: 'running', end: null });
    });

    it('ends a pod that exceeds its memory as OOMKilled, and no other', async () => {
      const [greedy, modest] = [spec(), spec()];
      await Promise.all([create(greedy), create(modest)]);
      await bench.exceedMemory(greedy.urlSlug);
      await waitFor('the end is told', () => ended.length > 0);

      expect(ended).toMatchObject([
        { urlSlug: greedy.urlSlug, phase: 'ended', end: { cause: 'out_of_memory', text: 'OOMKilled' } },
      ]);
      expect(await bench.running(greedy.instanceId)).toBe(0);
      expect(await bench.running(modest.instanceId)).toBe(1);
    });

    it('lets a pod hold as much as it was given since, and no other', async () => {
      const [grown, modest] = [spec(), spec()];
      await Promise.all([create(grown), create(modest)]);
      const size = { memoryBytes: 4 * grown.memoryBytes, cpuCores: 2 };
      expect(await runtime.resizePod(grown.urlSlug, size)).toEqual({ _tag: 'Right', right: undefined });
      await bench.exceedMemory(grown.urlSlug);
      await bench.exceedMemory(modest.urlSlug);
      await waitFor('the end is told', () => ended.length > 0);

      expect(ended).toMatchObject([{ urlSlug: modest.urlSlug, end: { cause: 'out_of_memory' } }]);
      expect(await bench.running(grown.instanceId)).toBe(1);
    });

    it('has nothing against another size for a pod that does not run', async () => {
      const size = { memoryBytes: 1024 ** 3, cpuCores: 1 };
      expect(await runtime.resizePod(randomUUID(), size)).toEqual({ _tag: 'Right', right: undefined });
    });
  });
};
