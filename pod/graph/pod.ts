import { type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { isLeft } from 'fp-ts/Either';
import { type Logger } from 'pino';
import { OUT_OF_MEMORY_EXIT_CODE, type PodSettings } from '../../adapters/contracts/graph-pod/settings';
import { describeFullDisk, isDiskFull } from '../../adapters/filesystem/disk-full';
import { createHttpServer } from '../../adapters/http/kit/http-server';
import { proportionalBytes } from '../../adapters/system/process-table';
import { relativePaths } from '../../adapters/system/relative-paths';
import { inSpan } from '../../adapters/system/tracing';
import { type Clock } from '../../domain/ports/clock';
import { AlgorithmService } from './algorithms/algorithm-service';
import { Runs } from './algorithms/runs';
import { ACTIVITY_INTERVAL_MS, InstanceApi, throttleActivity } from './control-plane/instance-api';
import { type EngineOptions, type GraphEngine, type PodResources } from './engine/graph-engine';
import { createAuthorizeCaller } from './http/authorize-caller';
import { createPodApi } from './http/pod-api';
import { QueryStatistics } from './http/query-handler';
import { Instance } from './instance';
import { type LoadFailure, reportedCode } from './loading/load-progress';
import { diskBytes, PodLimits, ProcessorUse } from './resources';
import { startInstance } from './start-instance';

export interface PodParts {
  readonly settings: PodSettings;
  readonly clock: Clock;
  readonly log: Logger;
  readonly createEngine: (ofPod: Pick<EngineOptions, 'onCrash' | 'podResources'>) => GraphEngine;
  readonly onListening: (port: number) => void;
  /** Ends the process. Called once, when everything is closed. */
  readonly exit: (code: number) => void;
}

const PROGRAM_FOLDER = join(__dirname, '../../..');
const METRICS_INTERVAL_MS = 30_000;
const MAX_WAIT_FOR_QUERIES_MS = 25_000;
const MAX_LAST_REPORT_MS = 2_000;
const POLL_MS = 20;

/** Runs one instance from start to end. */
export class Pod {
  private readonly instance: Instance;
  private readonly controlPlane: InstanceApi;
  private readonly activity = throttleActivity(() => this.controlPlane.reportActivity());
  private readonly statistics: QueryStatistics;
  private readonly processorUse = new ProcessorUse();
  private readonly engine: GraphEngine;
  private readonly algorithms: AlgorithmService;
  private readonly server: Server;
  private metrics: NodeJS.Timeout | undefined;
  private working: NodeJS.Timeout | undefined;
  private readonly limits: PodLimits;
  private readonly podResources: PodResources = {
    limitBytes: () => this.limits.bytes(),
    cores: () => this.limits.cores(),
    processIds: () => [process.pid, ...this.algorithms.processIds()],
  };

  constructor(private readonly parts: PodParts) {
    const { settings, clock, log } = parts;
    const now = (): Date => clock.now();
    this.instance = new Instance(settings, now());
    this.controlPlane = new InstanceApi(settings);
    this.statistics = new QueryStatistics(now, () => this.activity.push());
    this.limits = new PodLimits(settings);
    this.engine = parts.createEngine({ onCrash: (crash) => this.onCrash(crash), podResources: this.podResources });
    const runs = new Runs(now, () => this.statistics.touch());
    this.algorithms = new AlgorithmService(this.instance, this.engine, runs);
    const authorize = createAuthorizeCaller(this.controlPlane, () => now().getTime());
    const fetchRequestKey = settings.signedRequests ? () => this.fetchRequestKey() : null;
    const { instance, engine, statistics, algorithms } = this;
    const api = createPodApi({ instance, engine, statistics, algorithms, authorize, fetchRequestKey, now, log });
    this.server = createHttpServer({ app: api, listener: api });
  }

  /** Resolves when the pod listens; the graph is loaded afterwards. */
  async listen(): Promise<void> {
    this.parts.onListening(await listen(this.server, this.parts.settings));
    this.metrics = setInterval(() => void this.sendMetrics(), METRICS_INTERVAL_MS);
    this.working = setInterval(() => {
      if (this.isWorking()) this.statistics.touch();
    }, ACTIVITY_INTERVAL_MS);
    void this.start().catch(async (error: unknown) => {
      const { message: text, stack } = error instanceof Error ? error : new Error(String(error));
      const message = isDiskFull(error) ? await describeFullDisk(this.parts.settings.dataDirectory) : text;
      return this.fail({ code: 'STARTUP_FAILED', phase: 'starting', message }, stack);
    });
  }

  /** Waits for running queries, closes, reports `stopping` and exits with 0. */
  async stop(): Promise<void> {
    if (this.instance.isEnding) return;
    this.parts.log.info('stopping');
    await this.close();
    await this.controlPlane.reportStatus({ status: 'stopping' }, MAX_LAST_REPORT_MS);
    this.parts.exit(0);
  }

  private async start(): Promise<void> {
    const { instance, controlPlane, engine } = this;
    const { log, exit } = this.parts;
    const startedAt = new Date(Date.now() - process.uptime() * 1000);
    const started = await inSpan('pod start', { parent: process.env['TRACEPARENT'], startedAt }, () =>
      startInstance({ instance, controlPlane, engine, log }),
    );
    if (!isLeft(started)) return this.sendMetrics();
    if (instance.isEnding) return;
    const { report, message, isOver } = started.left;
    if (report !== null) return this.fail(report);
    log[isOver ? 'info' : 'fatal'](message);
    await this.close();
    exit(isOver ? 0 : 1);
  }

  /** Without a key the start fails. */
  private async fetchRequestKey(): Promise<string | null> {
    const fetched = await this.controlPlane.fetchRequestKey();
    if (!isLeft(fetched)) return fetched.right.request_key;
    const message = `The key of signed requests could not be fetched: ${fetched.left.message}`;
    if (this.instance.loaded === null) void this.fail({ code: 'STARTUP_FAILED', phase: 'starting', message });
    return null;
  }

  private onCrash({ how, isWanted, recovered }: Parameters<EngineOptions['onCrash']>[0]): void {
    if (!isWanted && this.limits.hasKilled()) return void this.endOutOfMemory();
    if (!recovered) return void this.endAsLost(how);
    this.parts.log[isWanted ? 'info' : 'error']({ how }, 'the graph database ended and was started again');
  }

  /** Running work is activity, however long it takes: a query, an export that its client reads, an algorithm. */
  private isWorking(): boolean {
    return this.statistics.running > 0 || this.algorithms.runs.holder() !== undefined;
  }

  private async sendMetrics(): Promise<void> {
    const { count, averageMs } = this.statistics.take();
    const processIds = [...this.podResources.processIds(), ...this.engine.processIds()];
    const cores = this.processorUse.take(processIds);
    // Memory of queries does not count, so that queries do not cause a memory upgrade.
    const memoryBytes = await this.statistics.whileIdle(() => proportionalBytes(processIds));
    await this.controlPlane.reportMetrics({
      ...(memoryBytes === null ? {} : { memory_usage_bytes: memoryBytes }),
      ...(cores === null ? {} : { cpu_usage_cores: cores }),
      disk_usage_bytes: await diskBytes(this.parts.settings.dataDirectory),
      last_activity_at: this.statistics.lastActivityAt.toISOString(),
      query_count_since_last: count,
      avg_query_time_ms: averageMs,
    });
  }

  private async fail(failure: LoadFailure, stack?: string): Promise<void> {
    if (this.instance.isEnding) return;
    if (this.limits.hasKilled()) return this.endOutOfMemory();
    const { phase, message } = failure;
    const code = reportedCode(failure, this.engine.kind);
    this.parts.log.fatal({ code, phase }, message);
    const { dataDirectory, cacheDirectory } = this.parts.settings;
    const shorten = relativePaths({
      data: dataDirectory,
      cache: cacheDirectory,
      rowgraph: PROGRAM_FOLDER,
    });
    await this.controlPlane.reportStatus({
      status: 'failed',
      error_code: code,
      error_message: shorten(message),
      failed_phase: phase,
      stack_trace: shorten(stack ?? new Error(message).stack ?? message),
    });
    await this.close();
    this.parts.exit(1);
  }

  /** Without a report: the next pod loads the graph again. */
  private async endAsLost(how: string): Promise<void> {
    if (this.instance.isEnding) return;
    this.parts.log.fatal({ how }, 'the graph database ended and cannot be opened again in this pod');
    await this.close();
    this.parts.exit(1);
  }

  /** The runtime learns the reason from the exit code. */
  private async endOutOfMemory(): Promise<void> {
    if (this.instance.isEnding) return;
    this.parts.log.fatal({ limitBytes: this.limits.bytes() }, 'the kernel killed the graph database for its memory');
    await this.close();
    this.parts.exit(OUT_OF_MEMORY_EXIT_CODE);
  }

  private async close(): Promise<void> {
    this.instance.isEnding = true;
    clearInterval(this.metrics);
    clearInterval(this.working);
    this.activity.drop();
    this.server.close();
    this.server.closeIdleConnections();
    const deadline = performance.now() + MAX_WAIT_FOR_QUERIES_MS;
    while (this.statistics.running > 0 && performance.now() < deadline) await wait(POLL_MS);
    this.algorithms.runs.stop();
    await this.engine.close();
    this.server.closeAllConnections();
  }
}

const listen = (server: Server, { host, port }: PodSettings): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
