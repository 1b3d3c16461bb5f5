import { type Logger } from 'pino';
import { type PodEnd, type PodStatus } from '../../domain/instance';
import { type PodRoute } from '../../domain/ports/pod-runtime';
import { type ApiClient } from './api-client';
import { PodObject } from './api-objects';
import { ListWatch, type ListWatchOptions } from './list-watch';
import { INSTANCE_LABEL, POD_PORT } from './pod-manifest';
import { OUT_OF_MEMORY_EXIT_CODE } from '../contracts/graph-pod/settings';

/** A Pod object and its status. */
export interface KnownPod {
  readonly pod: PodObject;
  readonly status: PodStatus;
}
interface OpenRoute extends PodRoute {
  readonly uid: string;
  readonly controller: AbortController;
}

export interface PodCacheOptions {
  readonly api: ApiClient;
  readonly namespace: string;
  /** The label selector of the system's pods. */
  readonly labelSelector: string;
  readonly log: Logger;
  readonly timing?: ListWatchOptions<PodObject>['timing'];
}

/** A local copy of the pods of this system, the routes to the ready ones, and notifications of changes. */
export class PodCache {
  private readonly known = new Map<string, KnownPod>();
  private readonly routes = new Map<string, OpenRoute>();
  private readonly listeners = new Set<(known: KnownPod, isDeleted: boolean) => void>();
  private readonly watch: ListWatch<PodObject>;
  private readonly log: Logger;

  constructor({ api, namespace, labelSelector, log, timing }: PodCacheOptions) {
    this.log = log;
    this.watch = new ListWatch({
      api,
      path: `/api/v1/namespaces/${namespace}/pods`,
      labelSelector,
      codec: PodObject,
      onChange: (pod, isDeleted) => this.changed(pod, isDeleted),
      log,
      ...(timing === undefined ? {} : { timing }),
    });
  }

  /** Watches the pods until the signal aborts. */
  run(signal: AbortSignal): Promise<void> {
    return this.watch.run(signal);
  }

  /** Why pods may be missing here; null while they are up to date. */
  get problem(): string | null {
    return this.watch.problem;
  }

  get hasListed(): boolean {
    return this.watch.hasListed;
  }

  /** Applies a pod from the response to an order before the watch delivers it. */
  put(pod: PodObject): void {
    this.watch.put(pod);
  }

  all(): readonly KnownPod[] {
    return [...this.known.values()];
  }

  routeOf(urlSlug: string): PodRoute | null {
    return this.routes.get(urlSlug) ?? null;
  }

  /** Calls back after each change of a pod's status or object. Returns a function that unsubscribes. */
  onChange(listener: (known: KnownPod, isDeleted: boolean) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private changed(pod: PodObject, isDeleted: boolean): void {
    const status = podStatusOf(pod, isDeleted);
    if (status === null) return;
    if (isDeleted) this.known.delete(pod.metadata.uid);
    else this.known.set(pod.metadata.uid, { pod, status });
    this.reroute(pod, status);
    for (const listener of this.listeners) {
      try {
        listener({ pod, status }, isDeleted);
      } catch (error) {
        this.log.error({ err: error, instanceId: status.instanceId }, 'the change of a pod could not be reported');
      }
    }
  }

  private reroute(pod: PodObject, { phase, urlSlug, instanceId, life }: PodStatus): void {
    const { uid } = pod.metadata;
    const ip = pod.status?.podIP ?? '';
    const open = this.routes.get(urlSlug);
    if (phase !== 'ready') {
      if (open?.uid !== uid) return;
      this.routes.delete(urlSlug);
      open.controller.abort();
      return;
    }
    if (open !== undefined && (open.uid === uid || open.life > life)) return;
    open?.controller.abort();
    const controller = new AbortController();
    const url = `http://${ip.includes(':') ? `[${ip}]` : ip}:${POD_PORT}`;
    this.routes.set(urlSlug, { uid, url, instanceId, life, unresponsive: controller.signal, controller });
  }
}

/** 128 + SIGTERM. */
const TERMINATED = 143;
const NAME = /^graph-(.+)-(\d+)$/;

/**
 * Converts a Pod object to the status of the domain; null if it is not a pod of an instance. `isDeleted`: it was deleted.
 */
export const podStatusOf = (pod: PodObject, isDeleted: boolean): PodStatus | null => {
  const { name, labels = {}, deletionTimestamp } = pod.metadata;
  const [, urlSlug, life] = NAME.exec(name) ?? [];
  const instanceId = Number(labels[INSTANCE_LABEL] ?? NaN);
  if (urlSlug === undefined || !Number.isSafeInteger(instanceId)) return null;
  const end = endOf(pod, isDeleted);
  const phase =
    end !== null ? 'ended' : deletionTimestamp !== undefined ? 'ending' : isReady(pod) ? 'ready' : 'starting';
  const reason = phase === 'starting' ? obstacleOf(pod) : null;
  return { podName: name, instanceId, urlSlug, life: Number(life), phase, reason, end };
};

const conditionOf = ({ status }: PodObject, type: string) => status?.conditions?.find((known) => known.type === type);

/**
 * As reported by the kubelet. After an outage of the API server a controller marks pods as not `Ready` although they
 * answer.
 */
const isReady = (pod: PodObject): boolean =>
  pod.status?.phase === 'Running' &&
  pod.status.podIP !== undefined &&
  conditionOf(pod, 'ContainersReady')?.status === 'True';

const PASSING = new Set(['ContainerCreating', 'PodInitializing', '']);

/** Why a pod does not start, in the text of the scheduler or kubelet. */
const obstacleOf = (pod: PodObject): string | null => {
  const scheduled = conditionOf(pod, 'PodScheduled');
  if (scheduled?.status === 'False') return textOf(scheduled);
  const waiting = pod.status?.containerStatuses
    ?.map(({ state }) => state?.waiting)
    .find((found) => found !== undefined);
  return waiting === undefined || PASSING.has(waiting.reason ?? '') ? null : textOf(waiting);
};

const endOf = (pod: PodObject, isDeleted: boolean): PodEnd | null => {
  const { status = {}, metadata } = pod;
  const isOrdered = metadata.deletionTimestamp !== undefined;
  const terminated = status.containerStatuses
    ?.map(({ state }) => state?.terminated)
    .find((found) => found !== undefined);
  if (terminated?.reason === 'OOMKilled' || terminated?.exitCode === OUT_OF_MEMORY_EXIT_CODE) {
    return { cause: 'out_of_memory', text: 'OOMKilled' };
  }
  const disruption = conditionOf(pod, 'DisruptionTarget');
  // A reason of the pod itself is that of the kubelet or a controller: Evicted, Preempting, NodeLost, OutOfcpu,
  // Terminated.
  const outside = status.phase === 'Failed' && status.reason !== undefined ? status : disruption;
  if (terminated !== undefined || status.phase === 'Failed' || status.phase === 'Succeeded') {
    if (outside !== undefined) return { cause: 'stopped', text: textOf(outside) };
    const exitCode = terminated?.exitCode ?? (status.phase === 'Succeeded' ? 0 : null);
    const text = exitCode === null ? `the pod ended as ${status.phase ?? 'unknown'}` : `exit code ${exitCode}`;
    return { cause: isOrdered || exitCode === 0 || exitCode === TERMINATED ? 'stopped' : 'crashed', text };
  }
  if (!isDeleted) return null;
  if (!isOrdered) return { cause: 'missing', text: 'the pod was removed from the cluster' };
  return { cause: 'stopped', text: disruption === undefined ? 'the pod was deleted' : textOf(disruption) };
};

const textOf = ({ reason, message }: { readonly reason?: string; readonly message?: string }): string =>
  [reason, message].filter((part) => part !== undefined && part !== '').join(': ');
