import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type StartContainer, startContainer } from './container-process';
import { type KubeApi, MERGE } from './kube-api';
import { type ContainerState, type PodObject } from './kube-objects';
import { bytesOf, type PodFolderOptions } from './pod-folder';
import { PodRun } from './pod-run';

/**
 * A node of the cluster whose kubelet is this process: the pods bound to it are programs of this machine, each on a
 * separate loopback address. It has no network, no isolation and no cgroups: memory limits are enforced by sampling.
 */
export interface TestKubelet {
  readonly nodeName: string;
  /** The pods whose programs run. */
  pods(): readonly { readonly name: string; readonly pid: number }[];
  /** Kills the program of a pod as the kernel does when the pod exceeds its memory. */
  killForMemory(podName: string): void;
  /** Reports the state of another container of a pod than that of its program. */
  setState(podName: string, containerName: string, state: ContainerState): void;
  /** Cordons the node and evicts its pods. */
  drain(): Promise<void>;
  /** The node dies without a report: heartbeats, programs and answers stop. */
  die(): Promise<void>;
  /** Ends all programs and removes the node. */
  stop(): Promise<void>;
}

export interface TestKubeletOptions {
  /** Only pods of this namespace are run. */
  readonly namespace: string;
  readonly memory?: string;
  /** Default: the real program of pods. */
  readonly start?: StartContainer;
  readonly onLine?: (line: string) => void;
  /** Replaces Services in values of variables by addresses on this machine. Default: there are none. */
  readonly locally?: PodFolderOptions['locally'];
}

/** The settings with which the pods of a namespace are scheduled only on its test kubelets. */
export const podPatchFor = (namespace: string) => ({
  spec: {
    nodeSelector: { [TAINT]: namespace },
    tolerations: [
      { key: TAINT, operator: 'Exists' },
      ...['not-ready', 'unreachable'].map((state) => ({
        key: `node.kubernetes.io/${state}`,
        operator: 'Exists',
        effect: 'NoExecute',
        tolerationSeconds: 2,
      })),
    ],
  },
});

const HEARTBEAT_MS = 3_000;
const TAINT = 'rowgraph.test/kubelet';
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';

export const startTestKubelet = async (api: KubeApi, options: TestKubeletOptions): Promise<TestKubelet> => {
  const { namespace, memory = '32Gi', start = startContainer, onLine = () => undefined } = options;
  const { locally = (value) => Promise.resolve(value) } = options;
  const subnet = randomInt(1, 255);
  const nodeName = `test-kubelet-${namespace}-${subnet}`;
  const folder = await mkdtemp(join(tmpdir(), 'kubelet-'));
  const stopping = new AbortController();
  const runs = new Map<string, PodRun>();
  let count = 0;

  const see = (pod: PodObject): void => {
    const uid = pod.metadata?.uid ?? '';
    const known = runs.get(uid);
    if (known !== undefined) return known.observe(pod);
    count += 1;
    const ip = `127.10.${subnet}.${1 + (count % 250)}`;
    const nodeMemoryBytes = bytesOf(memory);
    const run = new PodRun(pod, {
      api,
      ip,
      folder: join(folder, String(count)),
      nodeMemoryBytes,
      start,
      onLine,
      locally,
    });
    runs.set(uid, run);
    void run.run();
    run.observe(pod);
  };
  const forget = (uid: string): void => {
    void runs.get(uid)?.abandon();
    runs.delete(uid);
  };
  const follow = async (): Promise<void> => {
    const mine = `/api/v1/namespaces/${namespace}/pods?fieldSelector=spec.nodeName=${nodeName}`;
    const list = await api.call<{ items: PodObject[]; metadata: { resourceVersion: string } }>('GET', mine);
    for (const uid of runs.keys()) if (!list.items.some(({ metadata }) => metadata?.uid === uid)) forget(uid);
    list.items.forEach(see);
    await api.watch<PodObject>(
      `${mine}&watch=true&timeoutSeconds=60&resourceVersion=${list.metadata.resourceVersion}`,
      ({ type, object }) => {
        if (type === 'DELETED') forget(object.metadata?.uid ?? '');
        else if (type !== 'ERROR') see(object);
      },
      stopping.signal,
    );
  };
  const repeat = async (act: () => Promise<unknown>, everyMs: number): Promise<void> => {
    while (!stopping.signal.aborted) {
      await act().catch(() => undefined);
      await sleep(everyMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const renew = async (): Promise<void> => {
    const renewTime = new Date().toISOString().replace('Z', '000Z');
    await api.call('PATCH', `${LEASES}/${nodeName}`, { spec: { renewTime } }, MERGE);
    // A controller may have marked the node as unknown meanwhile.
    await reportNode(api, nodeName, memory);
  };

  await registerNode(api, nodeName, namespace, memory);
  const loops = [repeat(follow, 200), repeat(renew, HEARTBEAT_MS)];
  const die = async (): Promise<void> => {
    stopping.abort();
    await Promise.all(loops);
    await Promise.all(Array.from(runs.values(), (run) => run.abandon()));
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  return {
    nodeName,
    pods: () => Array.from(runs.values()).flatMap(({ name, pid }) => (pid === undefined ? [] : [{ name, pid }])),
    killForMemory: (podName) => {
      for (const run of runs.values()) if (run.name === podName) run.kill('OOMKilled');
    },
    setState: (podName, containerName, state) => {
      for (const run of runs.values()) if (run.name === podName) run.setState(containerName, state);
    },
    drain: async () => {
      await api.call('PATCH', `/api/v1/nodes/${nodeName}`, { spec: { unschedulable: true } }, MERGE);
      for (const { name } of runs.values()) {
        const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace } };
        await api.send('POST', `/api/v1/namespaces/${namespace}/pods/${name}/eviction`, body);
      }
    },
    die,
    stop: async () => {
      await die();
      await api.send('DELETE', `/api/v1/nodes/${nodeName}`);
      await api.send('DELETE', `${LEASES}/${nodeName}`);
    },
  };
};

const registerNode = async (api: KubeApi, name: string, namespace: string, memory: string): Promise<void> => {
  // Held for an hour: a simulator of nodes ignores a node whose lease another kubelet holds.
  await api.apply(`${LEASES}/${name}`, {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name },
    spec: {
      holderIdentity: name,
      leaseDurationSeconds: 3600,
      renewTime: new Date().toISOString().replace('Z', '000Z'),
    },
  });
  await api.apply(`/api/v1/nodes/${name}`, {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { [TAINT]: namespace, 'kubernetes.io/hostname': name } },
    spec: { taints: [{ key: TAINT, value: namespace, effect: 'NoSchedule' }] },
  });
  await reportNode(api, name, memory);
};

const reportNode = (api: KubeApi, name: string, memory: string): Promise<unknown> => {
  const resources = { cpu: '1000', memory, pods: '250', 'ephemeral-storage': '100Gi' };
  const status = {
    capacity: resources,
    allocatable: resources,
    conditions: [{ type: 'Ready', status: 'True', reason: 'KubeletReady', lastHeartbeatTime: new Date() }],
    addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
  };
  return api.call('PATCH', `/api/v1/nodes/${name}/status`, { status }, MERGE);
};
