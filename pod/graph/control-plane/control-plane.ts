import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { fieldErrorLines } from '../../../domain/kernel/codecs';
import { InstanceMapping } from '../../../adapters/contracts/graph-pod/instance-mapping';
import { type LoadProgress } from '../loading/load-progress';
import { sendWithRetries, type CallFailure, type HttpCall } from './internal-call';

export interface StatusReport {
  readonly status: 'starting' | 'running' | 'stopping' | 'failed';
  readonly pod_ip?: string;
  readonly instance_url?: string;
  readonly graph_stats?: { readonly node_count: number; readonly edge_count: number };
  readonly error_code?: string;
  readonly error_message?: string;
  readonly failed_phase?: string;
  readonly stack_trace?: string;
}

export interface MetricsReport {
  readonly memory_usage_bytes: number;
  readonly disk_usage_bytes: number;
  readonly last_activity_at: string;
  readonly query_count_since_last: number;
  readonly avg_query_time_ms: number;
}

const Authorization = t.strict({
  allowed: t.boolean,
  username: t.string,
  role: t.union([t.string, t.null]),
  owner_username: t.string,
});
export type Authorization = t.TypeOf<typeof Authorization>;

/**
 * The control plane as its pod sees it. Reports of states and the mapping are tried for a minute while the control
 * plane cannot be reached, because it may be restarting; telemetry is tried once, the next tick says more.
 */
export interface ControlPlane {
  readonly reportStatus: (report: StatusReport, mostMs?: number) => Promise<Either<CallFailure, void>>;
  readonly reportProgress: (progress: LoadProgress) => Promise<Either<CallFailure, void>>;
  readonly reportMetrics: (metrics: MetricsReport) => Promise<Either<CallFailure, void>>;
  readonly reportActivity: () => Promise<Either<CallFailure, void>>;
  readonly fetchMapping: () => Promise<Either<CallFailure, InstanceMapping>>;
  /** Whether a user may run algorithms here. */
  readonly authorize: (username: string) => Promise<Either<CallFailure, Authorization>>;
}

export interface ControlPlaneAddress {
  readonly controlPlaneUrl: string;
  readonly token: string;
  readonly instanceId: number;
  readonly slug: string;
}

const PATIENCE_MS = 60_000;
const PATIENCE_OF_CALLERS_MS = 3_000;

export const createControlPlane = (address: ControlPlaneAddress): ControlPlane => {
  const base = `${address.controlPlaneUrl}/api/internal/instances`;
  const headers = { authorization: `Bearer ${address.token}`, 'x-component': 'wrapper' };
  const instance = `${base}/${address.instanceId}`;
  const send = (call: Omit<HttpCall, 'headers'>, mostMs: number) => sendWithRetries({ ...call, headers }, mostMs);

  const put = async (path: string, body: object, mostMs: number): Promise<Either<CallFailure, void>> => {
    const sent = await send({ method: 'PUT', url: `${instance}/${path}`, body }, mostMs);
    return isLeft(sent) ? sent : right(undefined);
  };

  const get = async <A>(
    call: Pick<HttpCall, 'url'>,
    extra: Record<string, string>,
    codec: t.Type<A, unknown>,
    ms: number,
  ) => {
    const sent = await sendWithRetries({ method: 'GET', ...call, headers: { ...headers, ...extra } }, ms);
    return isLeft(sent) ? sent : decodeData(call.url, codec, sent.right);
  };

  return {
    reportStatus: (report, mostMs = PATIENCE_MS) => put('status', report, mostMs),
    reportProgress: (progress) => put('progress', progress, 0),
    reportMetrics: (metrics) => put('metrics', metrics, 0),
    reportActivity: async () => {
      const sent = await send({ method: 'POST', url: `${instance}/activity`, body: {} }, 0);
      return isLeft(sent) ? sent : right(undefined);
    },
    fetchMapping: () => get({ url: `${instance}/mapping` }, {}, InstanceMapping, PATIENCE_MS),
    authorize: (username) =>
      get(
        { url: `${base}/${address.slug}/authorize` },
        { 'x-username': username },
        Authorization,
        PATIENCE_OF_CALLERS_MS,
      ),
  };
};

const decodeData = <A>(url: string, codec: t.Type<A, unknown>, body: unknown): Either<CallFailure, A> => {
  const decoded = t.type({ data: codec }).decode(body);
  if (!isLeft(decoded)) return right(decoded.right.data);
  const wrong = fieldErrorLines(decoded.left);
  return left({ kind: 'unreadable', message: `${url} answered something unexpected: ${wrong.join('; ')}.` });
};
