import { type Either } from 'fp-ts/Either';
import type * as t from 'io-ts';
import { InstanceMapping } from '../../../adapters/contracts/graph-pod/instance-mapping';
import {
  Authorization,
  type MetricsReport,
  RequestKey,
  type StatusReportBody,
} from '../../../adapters/contracts/graph-pod/reports';
import { type PodSettings } from '../../../adapters/contracts/graph-pod/settings';
import { FilePage } from '../../../queries/views/snapshot';
import { type CallFailure, InternalApi } from '../../control-plane/internal-api';
import { type LoadProgress } from '../loading/load-progress';

type InstanceAddress = Pick<PodSettings, 'controlPlaneUrl' | 'token' | 'instanceId' | 'slug'>;

type Sent = Promise<Either<CallFailure, unknown>>;

const ATTEMPT_TIMEOUT_MS = 10_000;
const TIMEOUT_MS = 60_000;
const CALLER_TIMEOUT_MS = 3_000;

/**
 * Calls of a pod to the control plane. Status reports and the request for the mapping are retried for a minute, because
 * the control plane may be restarting; telemetry is sent once, since the next report replaces it.
 */
export class InstanceApi {
  private readonly api: InternalApi;

  constructor(private readonly address: InstanceAddress) {
    const { controlPlaneUrl: url, token } = address;
    this.api = new InternalApi({ url, token, component: 'wrapper', timeoutMs: ATTEMPT_TIMEOUT_MS });
  }

  reportStatus(body: StatusReportBody, maxMs = TIMEOUT_MS): Sent {
    return this.api.send({ method: 'PUT', path: this.path('status'), body }, maxMs);
  }

  reportProgress(body: LoadProgress): Sent {
    return this.api.send({ method: 'PUT', path: this.path('progress'), body });
  }

  reportMetrics(body: MetricsReport): Sent {
    return this.api.send({ method: 'PUT', path: this.path('metrics'), body });
  }

  reportActivity(): Sent {
    return this.api.send({ method: 'POST', path: this.path('activity'), body: {} });
  }

  fetchMapping(): Promise<Either<CallFailure, InstanceMapping>> {
    return this.api.read(InstanceMapping, { method: 'GET', path: this.path('mapping') }, TIMEOUT_MS);
  }

  fetchRequestKey(): Promise<Either<CallFailure, t.TypeOf<typeof RequestKey>>> {
    return this.api.read(RequestKey, { method: 'GET', path: this.path('request-key') }, TIMEOUT_MS);
  }

  /** Some files of a definition, from the `after`th on. */
  fetchFilePage(jobType: 'node' | 'edge', name: string, after: number): Promise<Either<CallFailure, FilePage>> {
    const query = new URLSearchParams({ job_type: jobType, name, after: String(after) });
    return this.api.read(FilePage, { method: 'GET', path: `${this.path('files')}?${query.toString()}` }, TIMEOUT_MS);
  }

  /** Whether a user may run algorithms here. */
  authorize(username: string): Promise<Either<CallFailure, Authorization>> {
    const path = `/instances/${this.address.slug}/authorize`;
    const call = {
      method: 'GET',
      path,
      loggedPath: this.path('authorize'),
      headers: { 'x-username': username },
    } as const;
    return this.api.read(Authorization, call, CALLER_TIMEOUT_MS);
  }

  private path(what: string): string {
    return `/instances/${this.address.instanceId}/${what}`;
  }
}

/** Sends the newest value at most once per interval, one at a time; the last value is always sent. */
class Throttle<A> {
  private waiting: { readonly value: A } | null = null;
  private timer: NodeJS.Timeout | undefined;
  private lastSentAt = -Infinity;
  private sending: Promise<unknown> = Promise.resolve();

  /** `isDue`: whether a pending value is sent immediately, before the next one replaces it. */
  constructor(
    private readonly intervalMs: number,
    private readonly send: (value: A) => Promise<unknown>,
    private readonly isDue: (waiting: A, next: A) => boolean = () => false,
  ) {}

  push(value: A): void {
    if (this.waiting !== null && this.isDue(this.waiting.value, value)) void this.flush();
    this.waiting = { value };
    this.timer ??= setTimeout(
      () => void this.flush(),
      Math.max(0, this.lastSentAt + this.intervalMs - performance.now()),
    );
  }

  /** Sends the pending value; resolves when everything has been sent. */
  flush(): Promise<unknown> {
    if (this.waiting !== null) {
      const { value } = this.waiting;
      this.lastSentAt = performance.now();
      this.sending = this.sending.then(() => this.send(value));
    }
    this.drop();
    return this.sending;
  }

  /** Forgets what waits. */
  drop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.waiting = null;
  }
}

/** Twice a second the newest state of a load, and the last state of every phase. */
export const throttleProgress = (send: (progress: LoadProgress) => Promise<unknown>): Throttle<LoadProgress> =>
  new Throttle(500, send, (waiting, next) => waiting.phase !== next.phase);

export const ACTIVITY_INTERVAL_MS = 5_000;

/** Reports activity at most once in this interval. */
export const throttleActivity = (send: () => Promise<unknown>): Throttle<void> =>
  new Throttle(ACTIVITY_INTERVAL_MS, send);
