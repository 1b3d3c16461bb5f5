import { setMaxListeners } from 'node:events';

export interface HealthTiming {
  /** Interval of health checks (1 s). */
  readonly checkEveryMs: number;
  /** Time without an answer after which callers stop waiting for the pod (8 s). */
  readonly unresponsiveAfterMs: number;
  /** Time without an answer after which the pod is lost (30 s). */
  readonly lostAfterMs: number;
}

type Answer = 'healthy' | 'refused' | 'none';

/**
 * Checks the health of a pod while it runs. Silence is counted in checks, not by the clock, so that pods do not count
 * as frozen after this process was frozen itself.
 */
export class PodHealth {
  private unansweredMs = 0;
  private lastAnswer: Answer = 'healthy';
  private unresponsive = newController();
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly port: number,
    private readonly timing: HealthTiming,
    private readonly onLost: () => void,
  ) {
    this.timer = setInterval(() => this.tick(), timing.checkEveryMs).unref();
  }

  /** Aborts when the pod has not answered for too long. Get it again for each wait: the pod may recover. */
  unresponsiveSignal(): AbortSignal {
    return this.unresponsive.signal;
  }

  /** Whether the pod currently answers. */
  async answersWithin(milliseconds: number): Promise<boolean> {
    return (await requestHealth(this.port, milliseconds)) === 'healthy';
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private tick(): void {
    const { checkEveryMs, unresponsiveAfterMs, lostAfterMs } = this.timing;
    this.unansweredMs += checkEveryMs;
    // A pod that is ending no longer listens, but still answers earlier requests.
    if (this.unansweredMs > unresponsiveAfterMs && this.lastAnswer !== 'refused') this.unresponsive.abort();
    if (this.unansweredMs <= lostAfterMs) return void this.check();
    this.stop();
    this.onLost();
  }

  private async check(): Promise<void> {
    this.lastAnswer = await requestHealth(this.port, this.timing.lostAfterMs);
    if (this.lastAnswer !== 'healthy') return;
    this.unansweredMs = 0;
    if (this.unresponsive.signal.aborted) this.unresponsive = newController();
  }
}

/** One listener per caller that waits for the pod. */
const newController = (): AbortController => {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
};

const requestHealth = async (port: number, timeoutMs: number): Promise<Answer> => {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/health`, { signal: AbortSignal.timeout(timeoutMs) });
    await answer.arrayBuffer();
    return answer.ok ? 'healthy' : 'none';
  } catch (error) {
    const { cause } = error instanceof Error ? error : { cause: undefined };
    return cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED' ? 'refused' : 'none';
  }
};
