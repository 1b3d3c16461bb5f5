import { type Logger } from 'pino';
import { type PodStatus } from '../../domain/instance';
import { type PodRoute } from '../../domain/ports/pod-runtime';
import { type ApiClient } from './api-client';
import { PodObject } from './api-objects';
import { ListWatch, type ListWatchOptions } from './list-watch';
import { POD_PORT } from './pod-manifest';
import { podStatusOf } from './pod-status';

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
  /** The Pod objects; `run` starts the watch. */
  readonly watch: ListWatch<PodObject>;
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
