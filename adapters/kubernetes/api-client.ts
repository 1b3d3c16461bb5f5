import { type IncomingMessage } from 'node:http';
import { Agent, request as httpsRequest, type RequestOptions } from 'node:https';
import { text } from 'node:stream/consumers';
import { type KubeConfig } from '@kubernetes/client-node';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type * as t from 'io-ts';
import { fieldErrorLines, parseJson } from '../../domain/kernel/codecs';
import { timeCall } from '../system/outside-calls';
import { pause, retry } from '../system/retry';
import { signalWithin } from '../system/time-limit';
import { type ApiFailure, failureOf } from './api-failure';

/**
 * Limits the requests of one replica in every second; a quarter of them may start at once. Times are milliseconds of
 * `performance.now`.
 */
export class RequestBudget {
  private nextAt = 0;
  private pausedUntil = 0;

  constructor(private readonly perSecond: number) {}

  /**
   * Reserves a request, and returns the milliseconds to wait for it; null without a reservation if that exceeds
   * `atMostMs`.
   */
  take(atMostMs: number): number | null {
    const now = performance.now();
    const burst = Math.ceil(this.perSecond / 4);
    const intervalMs = 1000 / (this.perSecond - burst);
    const waitMs = Math.max(0, this.nextAt - (burst - 1) * intervalMs - now, this.pausedUntil - now);
    if (waitMs > atMostMs) return null;
    this.nextAt = Math.max(this.nextAt, now) + intervalMs;
    return waitMs;
  }

  /** Delays all requests by the pause that the server requested. */
  pause(ms: number): void {
    this.pausedUntil = Math.max(this.pausedUntil, performance.now() + ms);
  }
}

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Type of the body; default: JSON. */
  readonly contentType?: string;
}

/** Default time limit of a call, including the wait for the budget and retries. */
const CALL_WITHIN_MS = 2_000;

/** Requests to the API server with the credentials of a kubeconfig; all share one budget and one set of connections. */
export class ApiClient {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 32 });

  constructor(
    private readonly config: KubeConfig,
    private readonly budget: RequestBudget,
  ) {}

  /** Sends an idempotent request with retries, within two seconds by default. */
  async call<A>(
    request: ApiRequest,
    codec: t.Type<A, unknown>,
    signal: AbortSignal,
    withinMs = CALL_WITHIN_MS,
  ): Promise<Either<ApiFailure, A>> {
    const until = performance.now() + withinMs;
    const once = () =>
      this.once(request, signalWithin(Math.max(1, Math.ceil(until - performance.now())), signal), until);
    const answered = await retry(once, {
      ...{ pausesMs: [100, withinMs], hasJitter: true, signal, until: Date.now() + withinMs },
      // The budget waits for the end of the pause that the server requested.
      onFailure: (failure) => failure.kind !== 'refused' && performance.now() + (failure.retryAfterMs ?? 0) < until,
    });
    return isLeft(answered) ? answered : decode(codec, answered.right, request);
  }

  /** Opens a streamed response. */
  open(request: ApiRequest, signal: AbortSignal): Promise<Either<ApiFailure, IncomingMessage>> {
    const outcomeOf = (opened: Either<ApiFailure, unknown>) => (isLeft(opened) ? opened.left.kind : 'answered');
    return timeCall('kubernetes', () => this.openOnce(request, signal), outcomeOf);
  }

  private async openOnce(request: ApiRequest, signal: AbortSignal): Promise<Either<ApiFailure, IncomingMessage>> {
    const waitMs = this.budget.take(CALL_WITHIN_MS);
    if (waitMs === null) return left(unavailable('the request budget of this replica is used up'));
    try {
      if (waitMs > 0) await pause(waitMs, signal);
      const answer = await this.send(request, signal);
      if (answer.statusCode !== undefined && answer.statusCode < 300) return right(answer);
      const failure = failureOf(answer, await text(answer));
      if (failure.kind === 'unavailable' && failure.retryAfterMs !== null) this.budget.pause(failure.retryAfterMs);
      return left(failure);
    } catch (error) {
      return left(requestFailure(error, signal));
    }
  }

  close(): void {
    this.agent.destroy();
  }

  private async once(request: ApiRequest, signal: AbortSignal, until: number): Promise<Either<ApiFailure, string>> {
    if (performance.now() >= until || signal.aborted) return left(unavailable('no answer in time'));
    const opened = await this.open(request, signal);
    if (isLeft(opened)) return opened;
    try {
      return right(await text(opened.right));
    } catch (error) {
      return left(requestFailure(error, signal));
    }
  }

  private async send(
    { method, path, query, body, contentType }: ApiRequest,
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    const cluster = this.config.getCurrentCluster();
    if (cluster === null) throw new Error('the kubeconfig has no current context');
    const credentials: RequestOptions = {};
    await this.config.applyToHTTPSOptions(credentials);
    const url = new URL(cluster.server.replace(/\/+$/, '') + path);
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
    const payload = body === undefined ? null : JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const headers = {
        ...credentials.headers,
        Accept: 'application/json',
        'User-Agent': 'rowgraph',
        ...(payload === null
          ? {}
          : { 'Content-Type': contentType ?? 'application/json', 'Content-Length': Buffer.byteLength(payload) }),
      };
      // The client creates an agent for each request; only a proxy needs it.
      const agent = cluster.proxyUrl === undefined ? this.agent : credentials.agent;
      const sent = httpsRequest(url, { ...credentials, agent, method, headers, signal }, resolve);
      sent.on('error', reject);
      sent.end(payload ?? undefined);
    });
  }
}

const decode = <A>(codec: t.Type<A, unknown>, body: string, { method, path }: ApiRequest): Either<ApiFailure, A> => {
  const decoded = codec.decode(parseJson(body));
  return isLeft(decoded)
    ? left(
        unavailable(`the answer to ${method} ${path} is not understood: ${fieldErrorLines(decoded.left).join('; ')}`),
      )
    : decoded;
};

const unavailable = (reason: string): ApiFailure => ({ kind: 'unavailable', reason, retryAfterMs: null });

const requestFailure = (error: unknown, { aborted }: AbortSignal): ApiFailure => {
  const reason = error instanceof Error ? error.message || error.name : String(error);
  return unavailable(aborted ? 'no answer in time' : reason);
};

/** The configuration of the client, and the namespace of its context. */
interface LoadedKubeConfig {
  readonly config: KubeConfig;
  readonly namespace: string | null;
}

/**
 * Reads the file that `KUBECONFIG` names, `~/.kube/config`, or the service account of the pod that this program runs
 * in.
 */
export const loadKubeConfig = async (): Promise<Either<string, LoadedKubeConfig>> => {
  // A thousand modules that load slowly, so only loaded for pods on Kubernetes.
  const { KubeConfig } = await import('@kubernetes/client-node');
  const config = new KubeConfig();
  try {
    config.loadFromDefault();
  } catch (error) {
    return left(
      `the kubeconfig is not readable: ${error instanceof Error ? error.message : String(error)}; set KUBECONFIG to the path of one`,
    );
  }
  const server = config.getCurrentCluster()?.server;
  if (server?.startsWith('https://') !== true) {
    const found = server === undefined ? 'there is none' : `it is ${server}`;
    return left(
      `the Kubernetes API needs an address that begins with https:// (${found}); set KUBECONFIG, or run inside the cluster with a service account`,
    );
  }
  return right({ config, namespace: config.getContextObject(config.getCurrentContext())?.namespace ?? null });
};
