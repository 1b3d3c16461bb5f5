import { type Either, left, right } from 'fp-ts/Either';
import { settlesWithin } from '../system/time-limit';
import { type CallWatch, type LogClient } from './log-client';
import { noAnswerWithin, type Rejection, rejectionOf } from './rejections';

/**
 * After this many consecutive calls without a response the client is replaced, because it would stay connected to a
 * frozen node.
 */
const MISSES = 2;
const CLOSE_MS = 1_000;

export interface ConnectionOptions {
  readonly open: () => LogClient;
  /** A call without any response for this long has lost its response. */
  readonly silenceMs: number;
  readonly onRenewal: () => void;
}

/** The current client, with a timeout on each call, since calls of EventStoreDB may never settle. */
export class Connection {
  private client: LogClient;
  private openedAt = Date.now();
  private misses = 0;
  private readonly closing = new Set<Promise<void>>();

  constructor(private readonly options: ConnectionOptions) {
    this.client = options.open();
  }

  /**
   * Ends after `silenceMs` without a response or a further record, and at `deadline` (milliseconds since 1970) at the
   * latest.
   */
  async call<A>(
    run: (client: LogClient, watch: CallWatch) => Promise<A>,
    deadline: number,
  ): Promise<Either<Rejection, A>> {
    if (Date.now() >= deadline) return left({ kind: 'no_answer', reason: 'there was no time left', wasSent: false });
    const client = this.client;
    const watch = new Silence(this.options.silenceMs, deadline);
    const answer = (async () => run(client, watch))().then(
      (value) => right(value),
      (error: unknown) => left(rejectionOf(error)),
    );
    const outcome = await Promise.race([answer, watch.expired]);
    watch.stop();
    if (outcome !== 'too long') {
      if (client === this.client) this.misses = 0;
      return outcome;
    }
    watch.abort();
    const waited = Date.now() - watch.startedAt;
    if (client === this.client && waited >= this.options.silenceMs) this.missed();
    return left(noAnswerWithin(waited));
  }

  /** Runs without a timeout on the current client: for subscriptions. */
  async run<A>(run: (client: LogClient) => Promise<A>): Promise<A> {
    return run(this.client);
  }

  /**
   * Resolves when the connections are closed, or after a second, because a connection to a cluster without a leader
   * keeps looking for one.
   */
  async close(): Promise<void> {
    this.retire(this.client);
    await settlesWithin(Promise.all(this.closing), CLOSE_MS);
  }

  private missed(): void {
    this.misses += 1;
    // Many calls fail at the same moment, and a new client needs time to connect.
    if (this.misses < MISSES || Date.now() - this.openedAt < MISSES * this.options.silenceMs) return;
    const old = this.client;
    this.client = this.options.open();
    this.openedAt = Date.now();
    this.misses = 0;
    this.retire(old);
    this.options.onRenewal();
  }

  private retire(client: LogClient): void {
    const closed = client.close().catch(() => undefined);
    this.closing.add(closed);
    void closed.finally(() => this.closing.delete(closed));
  }
}

/** Expires after a period without progress, and at the deadline. */
class Silence implements CallWatch {
  readonly startedAt = Date.now();
  readonly expired: Promise<'too long'>;
  private since = this.startedAt;
  private timer: NodeJS.Timeout | undefined;
  /** Created for reads; an append does not need it. */
  private ending: AbortController | undefined;

  constructor(
    private readonly ms: number,
    private readonly deadline: number,
  ) {
    this.expired = new Promise((resolve) => this.wait(resolve));
  }

  get signal(): AbortSignal {
    this.ending ??= new AbortController();
    return this.ending.signal;
  }

  readonly onProgress = (): void => {
    this.since = Date.now();
  };

  stop(): void {
    clearTimeout(this.timer);
  }

  abort(): void {
    (this.ending ??= new AbortController()).abort();
  }

  private wait(expire: (how: 'too long') => void): void {
    const left = Math.min(this.since + this.ms, this.deadline) - Date.now();
    if (left <= 0) expire('too long');
    else this.timer = setTimeout(() => this.wait(expire), left);
  }
}
