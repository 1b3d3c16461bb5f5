import { type Logger } from 'pino';
import { type PodStatus } from '../../domain/instance';
import { type PodRoute } from '../../domain/ports/pod-runtime';
import { type ApiClient } from './api-client';
import { PodObject } from './api-objects';
import { ListWatch, type ListWatchOptions } from './list-watch';
import { POD_PORT } from './pod-manifest';
import { podStatusOf } from './pod-status';

/** A pod with what it means. */
export interface KnownPod {
  readonly pod: PodObject;
  readonly status: PodStatus;
}
interface OpenRoute extends PodRoute {
  readonly uid: string;
  readonly silence: AbortController;
}

export interface PodCacheOptions {
  readonly api: ApiClient;
  readonly namespace: string;
  /** What the labels of the system's pods have to match. */
  readonly labelSelector: string;
  readonly log: Logger;
  readonly timing?: ListWatchOptions<PodObject>['timing'];
}

/** The pods of this system as the API server has them, the routes to those that answer, and a feed of their changes. */
export class PodCache {
  private readonly known = new Map<string, KnownPod>();
  private readonly routes = new Map<string, OpenRoute>();
  private readonly listeners = new Set<(known: KnownPod, isGone: boolean) => void>();
  private readonly watch: ListWatch<PodObject>;
  private readonly log: Logger;

  constructor({ api, namespace, labelSelector, log, timing }: PodCacheOptions) {
    this.log = log;
    this.watch = new ListWatch({
      api,
      path: `/api/v1/namespaces/${namespace}/pods`,
      labelSelector,
      codec: PodObject,
      onChange: (pod, isGone) => this.changed(pod, isGone),
      log,
      ...(timing === undefined ? {} : { timing }),
    });
  }

  /** Follows the pods until the signal aborts. */
  run(signal: AbortSignal): Promise<void> {
    return this.watch.run(signal);
  }

  /** Why pods may be missing here; null while they are up to date. */
  get trouble(): string | null {
    return this.watch.trouble;
  }

  get hasListed(): boolean {
    return this.watch.hasListed;
  }

  /** Takes a pod from the answer to an order, before the watch delivers it. */
  put(pod: PodObject): void {
    this.watch.put(pod);
  }

  all(): readonly KnownPod[] {
    return [...this.known.values()];
  }

  routeOf(urlSlug: string): PodRoute | null {
    return this.routes.get(urlSlug) ?? null;
  }

  /** Calls back after each change of a pod's status or object. Returns how to stop listening. */
  onChange(listener: (known: KnownPod, isGone: boolean) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private changed(pod: PodObject, isGone: boolean): void {
    const status = podStatusOf(pod, isGone);
    if (status === null) return;
    if (isGone) this.known.delete(pod.metadata.uid);
    else this.known.set(pod.metadata.uid, { pod, status });
    this.reroute(pod, status);
    for (const listener of this.listeners) {
      try {
        listener({ pod, status }, isGone);
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
      open.silence.abort();
      return;
    }
    if (open !== undefined && (open.uid === uid || open.life > life)) return;
    open?.silence.abort();
    const silence = new AbortController();
    const url = `http://${ip.includes(':') ? `[${ip}]` : ip}:${POD_PORT}`;
    this.routes.set(urlSlug, { uid, url, instanceId, life, silent: silence.signal, silence });
  }
}
