import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { isLeft } from 'fp-ts/Either';
import { type Logger } from 'pino';
import { expressMessages } from '../../adapters/http/kit/express-messages';
import { type Clock } from '../../domain/ports/clock';
import { type ObjectStore } from '../../domain/ports/object-store';
import { AlgorithmService } from './algorithms/algorithm-service';
import { Runs } from './algorithms/runs';
import { type PodSettings } from '../../adapters/contracts/graph-pod/settings';
import { ControlPlane } from './control-plane/control-plane';
import { createActivityReporter } from './control-plane/report-activity';
import { proportionalBytes } from '../../adapters/system/process-table';
import { diskBytes } from './disk-bytes';
import { type EngineOptions, type GraphEngine } from './engine/graph-engine';
import { createAuthorizeCaller } from './http/authorize-caller';
import { createPodApi } from './http/pod-api';
import { QueryStatistics } from './http/query-statistics';
import { createInstance } from './instance';
import { reportedCode, type LoadFailure } from './loading/load-failure';
import { startInstance } from './start-instance';

export interface PodParts {
  readonly settings: PodSettings;
  readonly store: ObjectStore;
  readonly clock: Clock;
  readonly log: Logger;
  readonly createEngine: (onCrash: EngineOptions['onCrash']) => GraphEngine;
  readonly onListening: (port: number) => void;
  /** Ends the process. Called once, when everything is closed. */
  readonly exit: (code: number) => void;
}

export interface Pod {
  /** Lets running queries end, closes, reports `stopping` and exits with 0. */
  readonly stop: () => Promise<void>;
}

const METRICS_INTERVAL_MS = 30_000;
const MAX_WAIT_FOR_QUERIES_MS = 25_000;
const MAX_LAST_REPORT_MS = 2_000;
const POLL_MS = 20;

/** Runs one instance from start to end. */
export const runPod = async (parts: PodParts): Promise<Pod> => {
  const { settings, store, clock, log, exit } = parts;
  const now = (): Date => clock.now();
  const instance = createInstance(settings, now());
  const controlPlane = new ControlPlane(settings);
  const activity = createActivityReporter(() => controlPlane.reportActivity());
  const statistics = new QueryStatistics(now, activity.touch);
  const engine = parts.createEngine(({ how, recovered }) => {
    log.error({ how, recovered }, 'the graph database ended by itself');
    if (!recovered)
      void fail({
        code: 'DATABASE_ERROR',
        phase: 'ready',
        message: `The graph database ended (${how}) and could not be opened again.`,
      });
  });
  const runs = new Runs(now, () => statistics.touch());
  const algorithms = new AlgorithmService(instance, engine, runs);
  const authorize = createAuthorizeCaller(controlPlane, () => now().getTime());

  const api = createPodApi({ instance, engine, statistics, algorithms, authorize, now }, log);
  const server = createServer(expressMessages(api), api);
  parts.onListening(await listen(server, settings));

  const metrics = setInterval(() => void sendMetrics(), METRICS_INTERVAL_MS);
  const sendMetrics = async (): Promise<void> => {
    const { count, averageMs } = statistics.take();
    await controlPlane.reportMetrics({
      memory_usage_bytes: await proportionalBytes([process.pid, ...engine.processIds(), ...algorithms.processIds()]),
      disk_usage_bytes: await diskBytes(settings.dataDirectory),
      last_activity_at: statistics.lastActivityAt.toISOString(),
      query_count_since_last: count,
      avg_query_time_ms: averageMs,
    });
  };

  const close = async (): Promise<void> => {
    instance.onStopping();
    clearInterval(metrics);
    activity.stop();
    server.close();
    server.closeIdleConnections();
    const deadline = performance.now() + MAX_WAIT_FOR_QUERIES_MS;
    while (statistics.running > 0 && performance.now() < deadline) await wait(POLL_MS);
    runs.stop();
    await engine.close();
    server.closeAllConnections();
  };

  const fail = async (failure: LoadFailure, stack?: string): Promise<void> => {
    if (instance.stopping()) return;
    const { phase, message } = failure;
    const code = reportedCode(failure, engine.kind);
    log.fatal({ code, phase }, message);
    await controlPlane.reportStatus({
      status: 'failed',
      error_code: code,
      error_message: message,
      failed_phase: phase,
      stack_trace: stack ?? new Error(message).stack ?? message,
    });
    await close();
    exit(1);
  };

  const start = async (): Promise<void> => {
    const started = await startInstance({ instance, controlPlane, engine, store, log });
    if (!isLeft(started) || instance.stopping()) return;
    if (started.left.report !== null) return fail(started.left.report);
    log.fatal(started.left.message);
    await close();
    exit(1);
  };
  void start().catch((error: unknown) => {
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    return fail({ code: 'STARTUP_FAILED', phase: 'starting', message }, stack);
  });

  return {
    stop: async () => {
      if (instance.stopping()) return;
      log.info('stopping');
      await close();
      await controlPlane.reportStatus({ status: 'stopping' }, MAX_LAST_REPORT_MS);
      exit(0);
    },
  };
};

const listen = (server: Server, { host, port }: PodSettings): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
