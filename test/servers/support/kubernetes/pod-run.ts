import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createMemoryWatchdog } from '../../../../adapters/local-process/memory-watchdog';
import { type RunningContainer, type StartContainer } from './container-process';
import { type KubeApi, STRATEGIC } from './kube-api';
import { type ContainerState, type PodObject } from './kube-objects';
import { OtherContainers } from './other-containers';
import { bytesOf, containerOf, createPodFolder, type PodFolder, type PodFolderOptions } from './pod-folder';
import { probeContainer } from './probe-container';

export interface PodRunOptions {
  readonly api: KubeApi;
  /** The pod's own loopback address and folder. */
  readonly ip: string;
  readonly folder: string;
  /** The memory of the node: a larger resize is infeasible. */
  readonly nodeMemoryBytes: number;
  readonly start: StartContainer;
  readonly locally: PodFolderOptions['locally'];
  readonly onLine: (line: string) => void;
}

const watchdog = createMemoryWatchdog(200);
const SIGNALS: Readonly<Record<string, number>> = { SIGKILL: 137, SIGTERM: 143, SIGABRT: 134, SIGSEGV: 139 };

/** One pod on the node: starts its program, probes it, reports its status, and ends it. */
export class PodRun {
  private folder: PodFolder | null = null;
  private program: RunningContainer | null = null;
  private state: ContainerState = { waiting: { reason: 'ContainerCreating' } };
  private isReady = false;
  private resizePending: string | null = null;
  private killedFor: string | null = null;
  private isEnding = false;
  private restarts = 0;
  private readonly others = new OtherContainers();
  private readonly over = new AbortController();
  private readonly startedAt = new Date();
  private resources;
  private reports: Promise<void> = Promise.resolve();

  constructor(
    private pod: PodObject,
    private readonly options: PodRunOptions,
  ) {
    this.resources = containerOf(pod).resources;
  }

  get name(): string {
    return this.pod.metadata?.name ?? '';
  }

  /** The process id of its program, undefined unless the program runs. */
  get pid(): number | undefined {
    return this.state.running === undefined ? undefined : this.program?.pid;
  }

  async run(): Promise<void> {
    if (containerOf(this.pod).image?.includes('no-such-image') === true) {
      this.state = { waiting: { reason: 'ErrImagePull', message: 'failed to resolve reference: not found' } };
      return this.report();
    }
    if (!this.others.letStart(this.pod)) {
      this.state = { waiting: { reason: 'PodInitializing' } };
      return this.report();
    }
    const folder = await this.prepare();
    while (folder !== null && !this.over.signal.aborted) {
      await this.runProgram(folder);
      if (this.pod.spec?.restartPolicy !== 'Always' || this.isEnding) return;
      this.restarts += 1;
      this.killedFor = null;
      await sleep(1_000);
    }
  }

  /** Waits for what the container needs, as long as the pod is wanted. */
  private async prepare(): Promise<PodFolder | null> {
    const { api, ip, folder: root, locally } = this.options;
    const tokenFor: PodFolderOptions['tokenFor'] = (audience, seconds) => this.token(audience, seconds);
    while (!this.over.signal.aborted) {
      try {
        return (this.folder = await createPodFolder(this.pod, { api, root, podIp: ip, tokenFor, locally }));
      } catch (error) {
        this.state = { waiting: { reason: 'CreateContainerConfigError', message: String(error) } };
        await this.report();
        await rm(root, { recursive: true, force: true });
        await sleep(1_000);
      }
    }
    return null;
  }

  private async runProgram(folder: PodFolder): Promise<void> {
    const startedAt = new Date();
    const program = this.options.start(this.pod, this.options.ip, folder, this.options.onLine);
    this.program = program;
    this.state = { running: { startedAt } };
    const unwatch = watchdog.watch(program.pid, this.memoryLimit(), () => this.kill('OOMKilled'));
    void this.report();
    const life = new AbortController();
    this.probe(AbortSignal.any([life.signal, this.over.signal]));
    const { code, signal } = await program.exited;
    life.abort();
    unwatch();
    await program.terminated;
    const exitCode = code ?? SIGNALS[signal ?? ''] ?? 255;
    const reason = this.killedFor ?? (exitCode === 0 ? 'Completed' : 'Error');
    this.isReady = false;
    this.state = { terminated: { exitCode, reason, startedAt, finishedAt: new Date() } };
    await this.report();
  }

  /** Readiness and liveness probes start after the success of the startup probe. */
  private probe(over: AbortSignal): void {
    const container = containerOf(this.pod);
    const { startupProbe, readinessProbe, livenessProbe } = container;
    const started = new AbortController();
    const ask = (probe: typeof startupProbe, until: AbortSignal, onAnswer: (isAlive: boolean) => void): void =>
      void probeContainer(this.options.ip, container, probe, until, onAnswer);
    const live = (isAlive: boolean): void => {
      if (!isAlive) this.kill('Error');
    };
    ask(startupProbe, AbortSignal.any([over, started.signal]), (isAlive) => {
      if (!isAlive) return live(isAlive);
      started.abort();
      ask(readinessProbe, over, (isReady) => this.setReady(isReady));
      ask(livenessProbe, over, live);
    });
  }

  /** Updates the object to the server's current one. */
  observe(pod: PodObject): void {
    this.pod = pod;
    if (pod.metadata?.deletionTimestamp !== undefined) {
      if (!this.isEnding) void this.end(pod.metadata.deletionGracePeriodSeconds ?? 0);
      return;
    }
    const isResized = JSON.stringify(containerOf(pod).resources) !== JSON.stringify(this.resources);
    if (isResized && this.program !== null) void this.resize();
    else if (!this.isAsReported(pod)) void this.report();
  }

  /** Ends the program without a report, as when the node dies or the object is deleted. */
  async abandon(): Promise<void> {
    this.over.abort();
    await this.program?.kill();
    await this.folder?.remove();
  }

  /** Reports the state of another container than that of the program. */
  setState(containerName: string, state: ContainerState): void {
    this.others.setState(containerName, state);
    void this.report();
  }

  /** Kills the program by `kill -9`, as the kernel does. */
  kill(reason: string): void {
    this.killedFor ??= reason;
    void this.program?.kill();
  }

  private async end(graceSeconds: number): Promise<void> {
    this.isEnding = true;
    const { seconds = 0 } = containerOf(this.pod).lifecycle?.preStop?.sleep ?? {};
    await sleep(1000 * Math.min(seconds, graceSeconds));
    await this.program?.stop(1000 * Math.max(0, graceSeconds - seconds));
    await this.reports;
    const { name, uid } = this.pod.metadata ?? {};
    await this.insist('DELETE', this.path(), { gracePeriodSeconds: 0, preconditions: { uid } });
    await this.abandon();
    this.options.onLine(`pod ${name} is gone`);
  }

  private async resize(): Promise<void> {
    const { resources } = containerOf(this.pod);
    const bytes = bytesOf(resources?.limits?.['memory']);
    if (bytes > this.options.nodeMemoryBytes) {
      if (this.resizePending === 'Infeasible') return;
      this.resizePending = 'Infeasible';
      return this.report();
    }
    this.resizePending = null;
    this.resources = resources;
    watchdog.changeLimit(this.program?.pid ?? 0, bytes);
    await this.folder?.writeMemoryLimit(bytes);
    await this.report();
  }

  /** A controller marks the pods of a node without heartbeats as not ready. */
  private isAsReported({ status }: PodObject): boolean {
    const condition = status?.conditions?.find(({ type }) => type === 'Ready')?.status === 'True';
    return status?.containerStatuses?.[0]?.ready === this.isReady && condition === this.areAllReady();
  }

  private areAllReady(): boolean {
    return this.isReady && this.others.areReady(this.pod);
  }

  private memoryLimit(): number {
    return bytesOf(this.resources?.limits?.['memory']);
  }

  private setReady(isReady: boolean): void {
    if (this.isReady === isReady) return;
    this.isReady = isReady;
    void this.report();
  }

  private async token(audience: string | undefined, expirationSeconds = 3600): Promise<string> {
    const { name, uid } = this.pod.metadata ?? {};
    const account = this.pod.spec?.serviceAccountName ?? 'default';
    const path = `/api/v1/namespaces/${this.pod.metadata?.namespace}/serviceaccounts/${account}/token`;
    const boundObjectRef = { kind: 'Pod', apiVersion: 'v1', name, uid };
    const spec = { ...(audience === undefined ? {} : { audiences: [audience] }), expirationSeconds, boundObjectRef };
    const body = (await this.insist('POST', path, { spec })) as { readonly status?: { readonly token?: string } };
    return body.status?.token ?? '';
  }

  private report(): Promise<void> {
    this.reports = this.reports.then(async () => {
      if (this.over.signal.aborted) return;
      const body = { metadata: { uid: this.pod.metadata?.uid }, status: this.status() };
      await this.insist('PATCH', `${this.path()}/status`, body, STRATEGIC);
    });
    return this.reports;
  }

  private path(): string {
    return `/api/v1/namespaces/${this.pod.metadata?.namespace}/pods/${this.name}`;
  }

  private status(): object {
    const { name, image } = containerOf(this.pod);
    const { running } = this.state;
    const isTrue = (type: string, isSo: boolean) => ({ type, status: isSo ? 'True' : 'False' });
    return {
      phase: this.others.phaseWith(this.state, this.pod),
      startTime: this.startedAt,
      hostIP: '127.0.0.1',
      ...(running === undefined ? {} : { podIP: this.options.ip, podIPs: [{ ip: this.options.ip }] }),
      conditions: [
        isTrue('Initialized', this.others.letStart(this.pod)),
        isTrue('PodReadyToStartContainers', running !== undefined),
        isTrue('ContainersReady', this.areAllReady()),
        isTrue('Ready', this.areAllReady()),
        ...(this.resizePending === null
          ? []
          : [
              {
                ...isTrue('PodResizePending', true),
                reason: this.resizePending,
                message: 'Node has not enough memory',
              },
            ]),
      ],
      containerStatuses: [
        {
          name,
          image,
          imageID: '',
          ready: this.isReady,
          started: running !== undefined,
          restartCount: this.restarts,
          state: this.state,
          resources: this.resources,
          allocatedResources: this.resources?.requests,
        },
        ...this.others.statuses(this.pod),
      ],
      initContainerStatuses: this.others.initStatuses(this.pod),
    };
  }

  /** Repeats a request until the server answers; stops if the pod was deleted or replaced. */
  private async insist(method: string, path: string, body: object, contentType?: string): Promise<unknown> {
    for (;;) {
      const answer = await this.options.api.send(method, path, body, contentType).catch(() => null);
      if (answer !== null && answer.status < 300) return answer.body;
      if (answer?.status === 404 || answer?.status === 409 || this.over.signal.aborted) return {};
      if (answer !== null && answer.status < 500 && answer.status !== 429)
        throw new Error(`${method} ${path} was answered ${answer.status}: ${answer.body.message}`);
      await sleep(200);
    }
  }
}
