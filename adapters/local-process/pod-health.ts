import { setMaxListeners } from 'node:events';

export interface HealthTiming {
  /** How often a pod is asked for its health (1 s). */
  readonly askEveryMs: number;
  /** After how long without an answer nobody should wait for the pod (8 s). */
  readonly silentAfterMs: number;
  /** After how long without an answer the pod is lost (30 s). */
  readonly lostAfterMs: number;
}

type Answer = 'healthy' | 'refused' | 'none';

/**
 * Asks a pod for its health as long as it runs. Its silence is counted in the times it was asked, not by the clock:
 * after this process was frozen itself, no pod is taken for frozen.
 */
export class PodHealth {
  private silentMs = 0;
  private lastAnswer: Answer = 'healthy';
  private silence = newSilence();
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly port: number,
    private readonly timing: HealthTiming,
    private readonly onLost: () => void,
  ) {
    this.timer = setInterval(() => this.look(), timing.askEveryMs).unref();
  }

  /** Aborts when the pod is silent for too long. Ask for it anew for each wait: a pod may answer again. */
  untilSilent(): AbortSignal {
    return this.silence.signal;
  }

  /** Whether the pod answers now. */
  async answersWithin(milliseconds: number): Promise<boolean> {
    return (await askHealth(this.port, milliseconds)) === 'healthy';
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private look(): void {
    const { askEveryMs, silentAfterMs, lostAfterMs } = this.timing;
    this.silentMs += askEveryMs;
    // One that is told to end listens no more, and answers what it was asked before.
    if (this.silentMs > silentAfterMs && this.lastAnswer !== 'refused') this.silence.abort();
    if (this.silentMs <= lostAfterMs) return void this.ask();
    this.stop();
    this.onLost();
  }

  private async ask(): Promise<void> {
    this.lastAnswer = await askHealth(this.port, this.timing.lostAfterMs);
    if (this.lastAnswer !== 'healthy') return;
    this.silentMs = 0;
    if (this.silence.signal.aborted) this.silence = newSilence();
  }
}

/** As many as wait for the pod listen to it. */
const newSilence = (): AbortController => {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
};

const askHealth = async (port: number, patienceMs: number): Promise<Answer> => {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/health`, { signal: AbortSignal.timeout(patienceMs) });
    await answer.arrayBuffer();
    return answer.ok ? 'healthy' : 'none';
  } catch (error) {
    const { cause } = error instanceof Error ? error : { cause: undefined };
    return cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED' ? 'refused' : 'none';
  }
};
