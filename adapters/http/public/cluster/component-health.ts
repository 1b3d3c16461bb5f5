import { settlesWithin } from '../../../system/time-limit';

/** Checks a component: null when it is healthy, otherwise the problem. */
export type Ping = () => Promise<string | null>;

/** The required components of the system. */
export interface ComponentPings {
  readonly database: Ping;
  /** The local folders of exports, pods and workers. */
  readonly disk: Ping;
  /** Null: the log is in the database. */
  readonly eventStore: Ping | null;
  /** Null: an external runner runs the pods. */
  readonly podRuntime: Ping | null;
  readonly queryEngine: Ping;
  /** Writes, reads and deletes a small object. */
  readonly objectStore: Ping;
}

export type ComponentHealth =
  | { readonly status: 'healthy'; readonly latency_ms: number }
  | { readonly status: 'unreachable'; readonly latency_ms: null; readonly error: string }
  | { readonly status: 'not_configured'; readonly latency_ms: null };

/**
 * A check that always returns within `limitMs`. While a ping hangs, later checks wait for the same ping, so that pings
 * of an unavailable component do not accumulate.
 */
export const healthCheck = (ping: Ping | null, limitMs = 2000): (() => Promise<ComponentHealth>) => {
  let pending: Promise<string | null> | null = null;
  return async () => {
    if (ping === null) return { status: 'not_configured', latency_ms: null };
    const startedAt = performance.now();
    const pinged = (pending ??= ping()
      .catch((error: unknown) => (error instanceof Error && error.message !== '' ? error.message : String(error)))
      .finally(() => (pending = null)));
    const error = (await settlesWithin(pinged, limitMs)) ? await pinged : `no answer within ${limitMs} ms`;
    return error === null
      ? { status: 'healthy', latency_ms: Math.round((performance.now() - startedAt) * 100) / 100 }
      : { status: 'unreachable', latency_ms: null, error };
  };
};

/** Caches the result of a check for `keepMs`, because the check is expensive. */
export const cachedFor = (keepMs: number, check: () => Promise<ComponentHealth>): (() => Promise<ComponentHealth>) => {
  let last: { readonly health: Promise<ComponentHealth>; readonly askedAt: number } | null = null;
  return () => {
    if (last === null || performance.now() - last.askedAt > keepMs)
      last = { health: check(), askedAt: performance.now() };
    return last.health;
  };
};
