import { type Either, isLeft, isRight, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { type Logger } from 'pino';
import { podNameOf, type PodStatus, type WrapperType } from '../../domain/instance';
import {
  type PodOf,
  type PodRoute,
  type PodRuntime,
  type PodRuntimeError,
  type PodSize,
  type PodsOf,
  type PodSpec,
  type TakesEffect,
} from '../../domain/ports/pod-runtime';
import { type ApiClient } from './api-client';
import { type ApiFailure, runtimeErrorOf } from './api-failure';
import { ObjectList, PodObject } from './api-objects';
import { PodCache, type PodCacheOptions } from './pod-cache';
import {
  CONTAINER,
  INSTANCE_LABEL,
  type ManifestOptions,
  podManifest,
  resourcesOf,
  SYSTEM_LABEL,
} from './pod-manifest';
import { untilResized } from './until-resized';

export interface KubernetesPodRuntimeOptions extends ManifestOptions {
  readonly api: ApiClient;
  readonly log: Logger;
  readonly timing?: PodCacheOptions['timing'];
}

const FIELD_MANAGER = 'rowgraph';

/** Runs each pod as one Pod object. Several control planes may use it: all state is in the cluster. */
export class KubernetesPodRuntime implements PodRuntime {
  readonly kind = 'kubernetes';
  readonly managesPods = true;
  readonly outlivesControlPlane = true;
  readonly isShared = true;
  private readonly cache: PodCache;
  private readonly path: string;
  /** Selects them by their labels. */
  private readonly podsOfSystem: string;

  constructor(private readonly options: KubernetesPodRuntimeOptions) {
    this.podsOfSystem = `${SYSTEM_LABEL}=${options.system},${INSTANCE_LABEL}`;
    this.cache = new PodCache({ ...options, labelSelector: this.podsOfSystem });
    this.path = `/api/v1/namespaces/${options.namespace}/pods`;
  }

  /** Watches the pods of the cluster until the signal aborts. Orders are placed only after the first list. */
  async run(signal: AbortSignal): Promise<void> {
    const stop = forceEndOnLostNodes(this.cache, this.options.lostNodeMs, (pod) => this.end(pod, signal, true));
    await this.cache.watch.run(signal);
    stop();
  }

  unsupportedReason(kind: WrapperType): string | null {
    return this.options.image[kind] === undefined
      ? `cannot run here: ROWGRAPH_POD_IMAGE names no image for ${kind}; use the other kind`
      : null;
  }

  async createPod(spec: PodSpec, signal: AbortSignal): Promise<Either<PodRuntimeError, void>> {
    const obstacle = this.unsupportedReason(spec.wrapperType);
    if (obstacle !== null) return left({ kind: 'rejected', reason: obstacle });
    const { hasListed, problem } = this.cache.watch;
    if (!hasListed) return left({ kind: 'unavailable', reason: problem ?? '' });
    const pods = this.cache.all().filter(({ status }) => status.urlSlug === spec.urlSlug);
    const other = pods.find(({ status }) => status.instanceId !== spec.instanceId);
    if (other !== undefined) return left(isTaken(spec, other.status.instanceId));
    if (pods.some(({ status }) => status.life >= spec.life)) return right(undefined);
    const applied = await this.apply(spec, signal);
    // After a failure, the next order or reconciliation removes the earlier pod.
    if (isRight(applied)) await Promise.all(pods.map(({ pod }) => this.end(pod, signal)));
    return applied;
  }

  async deletePod(pods: PodsOf, signal: AbortSignal): Promise<Either<PodRuntimeError, 'ordered' | 'absent'>> {
    const isWanted = ({ instanceId, life }: PodStatus): boolean =>
      instanceId === pods.instanceId && (pods.life === null || life === pods.life);
    const known = this.cache.all().filter(({ status }) => isWanted(status));
    const ended = await this.endAll(
      known.map(({ pod }) => pod),
      signal,
    );
    if (isLeft(ended) || ended.right === 'ordered') return ended;
    // The cache may lack a pod that another control plane has just created.
    const found = await this.find(pods, signal);
    return isLeft(found) ? left(runtimeErrorOf(found.left)) : this.endAll(found.right, signal);
  }

  async resizePod(pod: PodOf, size: PodSize, signal: AbortSignal): Promise<Either<PodRuntimeError, TakesEffect>> {
    const path = `${this.path}/${podNameOf(pod)}/resize`;
    const body = { spec: { containers: [{ name: CONTAINER, resources: resourcesOf(size) }] } };
    const contentType = 'application/strategic-merge-patch+json';
    const query = { fieldManager: FIELD_MANAGER, fieldValidation: 'Strict' };
    const resized = await this.options.api.call({ method: 'PATCH', path, query, body, contentType }, PodObject, signal);
    if (isRight(resized)) return right(await untilResized(this.cache, resized.right, signal));
    return isAbsent(resized.left) ? right('at_next_start') : left(runtimeErrorOf(resized.left));
  }

  listPods(): Promise<Either<PodRuntimeError, readonly PodStatus[]>> {
    const { problem } = this.cache.watch;
    return Promise.resolve(
      problem === null
        ? right(this.cache.all().map(({ status }) => status))
        : left({ kind: 'unavailable', reason: problem }),
    );
  }

  routeOf(urlSlug: string): PodRoute | null {
    return this.cache.routeOf(urlSlug);
  }

  onPodChanged(listener: (pod: PodStatus) => void): () => void {
    return this.cache.onChange(({ status }) => listener(status));
  }

  private async apply(spec: PodSpec, signal: AbortSignal): Promise<Either<PodRuntimeError, void>> {
    const { api } = this.options;
    const name = podNameOf(spec);
    const request = {
      method: 'PATCH',
      path: `${this.path}/${name}`,
      query: { fieldManager: FIELD_MANAGER, fieldValidation: 'Strict' },
      body: podManifest(spec, this.options),
      contentType: 'application/apply-patch+yaml',
    } as const;
    const applied = await api.call(request, PodObject, signal);
    if (isRight(applied)) {
      this.cache.watch.put(applied.right);
      return right(undefined);
    }
    const exists = applied.left.kind === 'refused' && [409, 422].includes(applied.left.code);
    const existing = exists ? await this.get(name, signal) : applied;
    if (isLeft(existing)) return left(runtimeErrorOf(applied.left));
    const owner = Number(existing.right.metadata.labels?.[INSTANCE_LABEL]);
    return owner === spec.instanceId ? right(undefined) : left(isTaken(spec, owner));
  }

  private get(name: string, signal: AbortSignal): Promise<Either<ApiFailure, PodObject>> {
    return this.options.api.call({ method: 'GET', path: `${this.path}/${name}` }, PodObject, signal);
  }

  /** The current pods on the API server. */
  private async find(
    { instanceId, urlSlug, life }: PodsOf,
    signal: AbortSignal,
  ): Promise<Either<ApiFailure, readonly PodObject[]>> {
    if (life !== null) {
      const got = await this.get(podNameOf({ urlSlug, life }), signal);
      if (isLeft(got)) return isAbsent(got.left) ? right([]) : got;
      const { [SYSTEM_LABEL]: system, [INSTANCE_LABEL]: instance } = got.right.metadata.labels ?? {};
      return right(system === this.options.system && instance === String(instanceId) ? [got.right] : []);
    }
    const query = { labelSelector: `${this.podsOfSystem}=${instanceId}` };
    const listed = await this.options.api.call({ method: 'GET', path: this.path, query }, ObjectList, signal);
    return isLeft(listed) ? listed : right(listed.right.items.filter(PodObject.is));
  }

  private async endAll(
    pods: readonly PodObject[],
    signal: AbortSignal,
  ): Promise<Either<PodRuntimeError, 'ordered' | 'absent'>> {
    const ended = await Promise.all(pods.map((pod) => this.end(pod, signal)));
    return ended.find(isLeft) ?? ended.find((end) => isRight(end) && end.right === 'ordered') ?? right('absent');
  }

  /** Deletes exactly this pod; `absent` if it does not exist. */
  private async end(
    { metadata: { name, uid, deletionTimestamp } }: PodObject,
    signal: AbortSignal,
    isForced = false,
  ): Promise<Either<PodRuntimeError, 'ordered' | 'absent'>> {
    if (deletionTimestamp !== undefined && !isForced) return right('ordered');
    const body = {
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      preconditions: { uid },
      ...(isForced ? { gracePeriodSeconds: 0 } : {}),
    };
    const deleted = await this.options.api.call(
      { method: 'DELETE', path: `${this.path}/${name}`, body },
      t.unknown,
      signal,
    );
    if (isRight(deleted)) return right('ordered');
    return isAbsent(deleted.left) ? right('absent') : left(runtimeErrorOf(deleted.left));
  }
}

const isAbsent = (failure: ApiFailure): boolean => failure.kind === 'refused' && failure.code === 404;

const isTaken = (spec: PodSpec, owner: number): PodRuntimeError => ({
  kind: 'rejected',
  reason: `the pod name ${podNameOf(spec)} of instance ${spec.instanceId} belongs to instance ${owner}`,
});

/**
 * Forces the deletion of pods whose node does not confirm their end, as a lost node never does. The timeout runs on the
 * local clock from the observed deletion: the pod's grace period, then `lostNodeMs`; repeated until the pod is deleted.
 * Returns a function that stops it.
 */
const forceEndOnLostNodes = (
  cache: PodCache,
  lostNodeMs: number,
  forceEnd: (pod: PodObject) => Promise<unknown>,
): (() => void) => {
  const timers = new Map<string, NodeJS.Timeout>();
  const arm = (pod: PodObject, graceMs: number): void => {
    const again = (): void => {
      arm(pod, 0);
      void forceEnd(pod);
    };
    timers.set(pod.metadata.uid, setTimeout(again, graceMs + lostNodeMs));
  };
  const stopListening = cache.onChange(({ pod }, isDeleted) => {
    const { uid, deletionTimestamp, deletionGracePeriodSeconds = 0 } = pod.metadata;
    if (isDeleted) {
      clearTimeout(timers.get(uid));
      timers.delete(uid);
    } else if (deletionTimestamp !== undefined && !timers.has(uid)) {
      arm(pod, deletionGracePeriodSeconds * 1000);
    }
  });
  return () => {
    stopListening();
    for (const timer of timers.values()) clearTimeout(timer);
  };
};
