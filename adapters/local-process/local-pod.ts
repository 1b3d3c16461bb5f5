import { type Either, isRight, left } from 'fp-ts/Either';
import { type Logger } from 'pino';
import { type PodEnd, podNameOf, type PodStatus } from '../../domain/instance';
import { type PodSpec } from '../../domain/ports/pod-runtime';
import { retry } from '../system/retry';
import { type PodProcess, type StartFailure } from './pod-process';

const LONGEST_RETRY_MS = 30_000;
const ORDERED: PodEnd = { cause: 'stopped', text: 'its end was ordered' };

export interface LocalPodParts {
  readonly spec: PodSpec;
  /** Earlier pods, which end first, since they use the same folder. */
  readonly earlier: () => readonly LocalPod[];
  readonly startProcess: (abandoned: AbortSignal, log: Logger) => Promise<Either<StartFailure, PodProcess>>;
  /** Called after every change of its status, the last time when it is removed. */
  readonly onChange: (pod: LocalPod) => void;
  /** Aborts when the whole system stops. */
  readonly stopping: AbortSignal;
  readonly log: Logger;
  readonly timing: LocalPodTiming;
}

export interface LocalPodTiming {
  /** Time limit for a deleted pod to end after SIGTERM (30 s). */
  readonly graceMs: number;
  /** Time limit for a deleted pod to answer a health check; a frozen pod is killed at once (5 s). */
  readonly answerBeforeEndMs: number;
  /** Delay before the first of the repeated attempts to start a pod; it doubles up to 30 s (250 ms). */
  readonly retryFirstMs: number;
}

/** The life of one pod, from the attempts to start its process to its removal. */
export class LocalPod {
  /** Null while it starts. */
  process: PodProcess | null = null;
  /** Whether it was ended by an order. */
  isRemoved = false;
  /** Resolves when its start has succeeded or was abandoned. */
  readonly started: Promise<void>;
  /** The last ordered end. */
  removal: Promise<void> | null = null;
  /** Why its last attempt to start failed, or why it does not end. */
  private reason: string | null = null;
  private end: PodEnd | null = null;
  /** Aborts when its end is ordered. */
  private readonly deleted = new AbortController();

  constructor(private readonly parts: LocalPodParts) {
    this.started = this.start();
  }

  get spec(): PodSpec {
    return this.parts.spec;
  }

  status(): PodStatus {
    const { spec, process, reason, end, deleted } = this;
    return {
      podName: podNameOf(spec),
      ...{ instanceId: spec.instanceId, urlSlug: spec.urlSlug, life: spec.life },
      phase: end !== null ? 'ended' : deleted.signal.aborted ? 'ending' : process === null ? 'starting' : 'ready',
      reason: end === null ? reason : null,
      end,
    };
  }

  /** One removal at a time: a repeated order joins it, or retries if the process did not end. */
  remove(): Promise<void> {
    this.deleted.abort();
    this.removal ??= this.endProcess().then((isEnded) => {
      if (!isEnded) this.removal = null;
    });
    this.changed();
    return this.removal;
  }

  /** Retries temporary failures until the pod listens or its start is abandoned. */
  private async start(): Promise<void> {
    const { stopping, timing, spec } = this.parts;
    const log = this.parts.log.child({ instanceId: spec.instanceId });
    const abandoned = AbortSignal.any([stopping, this.deleted.signal]);
    const started = await retry(() => this.tryToStart(abandoned, log), {
      ...{ pausesMs: [timing.retryFirstMs, LONGEST_RETRY_MS], signal: abandoned },
      onFailure: (failure) => {
        if (failure.kind === 'ended') return false;
        this.reason = failure.reason;
        this.changed();
        log.warn({ reason: this.reason }, 'a pod could not be started; trying again');
        return true;
      },
    });
    if (isRight(started)) {
      this.process = started.right;
      this.reason = null;
      void this.follow(started.right);
    } else if (started.left.kind === 'ended') {
      this.end = started.left.end;
      this.logEnd(this.end);
    }
    this.changed();
  }

  private async tryToStart(abandoned: AbortSignal, log: Logger): Promise<Either<StartFailure, PodProcess>> {
    const earlier = this.parts.earlier();
    await Promise.all(earlier.map((pod) => pod.remove()));
    const stuck = earlier.find(({ isRemoved }) => !isRemoved);
    if (stuck === undefined) return this.parts.startProcess(abandoned, log);
    return left({ kind: 'unavailable', reason: stuck.reason ?? 'an earlier pod has not ended' });
  }

  private async follow(process: PodProcess): Promise<void> {
    const end = await process.ended;
    this.end = this.removal === null ? end : ORDERED;
    this.logEnd(end);
    await process.removed;
    this.changed();
  }

  private logEnd({ cause, text }: PodEnd): void {
    if (this.removal !== null || this.parts.stopping.aborted) return;
    const level = cause === 'stopped' ? 'info' : 'warn';
    this.parts.log[level]({ instanceId: this.spec.instanceId, reason: text }, 'pod ended by itself');
  }

  private async endProcess(): Promise<boolean> {
    await this.started;
    if (this.process !== null) {
      const { program, removed, health } = this.process;
      const { answerBeforeEndMs, graceMs } = this.parts.timing;
      const isFrozen = this.end === null && !(await health.answersWithin(answerBeforeEndMs));
      health.stop();
      if (!(await program.stop(isFrozen ? 0 : graceMs))) {
        this.reason = `process ${program.pid} does not end, it is stuck in the kernel`;
        return false;
      }
      await removed;
    }
    this.isRemoved = true;
    this.end ??= ORDERED;
    this.changed();
    return true;
  }

  private changed(): void {
    this.parts.onChange(this);
  }
}
