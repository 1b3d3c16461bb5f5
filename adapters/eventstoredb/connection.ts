import { type Either, left, right } from 'fp-ts/Either';
import { type CallWatch, type LogClient } from './log-client';
import { noAnswerWithin, type Rejection, rejectionOf } from './rejections';

/** So many calls in a row without an answer, and another client is made: this one stays with a node that is frozen. */
const MISSES = 2;
/** Not more often than this: a server that is only slow must not get every call twice for ever. */
const RENEWAL_PAUSE_MS = 1_500;

export interface ConnectionOptions {
  readonly open: () => LogClient;
  readonly onRenewal: () => void;
}

/** The client in use, with a timer around each of its calls, since those of EventStoreDB may never settle. */
export class Connection {
  private client: LogClient;
  private openedAt = Date.now();
  private misses = 0;
  private readonly closing = new Set<Promise<void>>();

  constructor(private readonly options: ConnectionOptions) {
    this.client = options.open();
  }

  /** Ends after `silenceMs` without an answer, or without a further record while records arrive, and at `deadline` at the latest. */
  async call<A>(
    run: (client: LogClient, watch: CallWatch) => Promise<A>,
    { silenceMs, deadline }: { readonly silenceMs: number; readonly deadline: number },
  ): Promise<Either<Rejection, A>> {
    const client = this.client;
    const ending = new AbortController();
    const startedAt = Date.now();
    let heardAt = startedAt;
    let timer: NodeJS.Timeout | undefined;
    const silence = new Promise<Rejection>((resolve) => {
      const check = (): void => {
        const endsAt = Math.min(heardAt + silenceMs, deadline);
        if (Date.now() >= endsAt) resolve(noAnswerWithin(Date.now() - startedAt));
        else timer = setTimeout(check, endsAt - Date.now());
      };
      check();
    });
    const watch = { signal: ending.signal, onProgress: () => void (heardAt = Date.now()) };
    const answer = (async () => run(client, watch))().then(
      (value) => right(value),
      (error: unknown) => left(rejectionOf(error)),
    );
    const outcome = await Promise.race([
      answer,
      silence.then((rejection) => ({ _tag: 'Silence' as const, rejection })),
    ]);
    clearTimeout(timer);
    if (outcome._tag !== 'Silence') {
      if (client === this.client) this.misses = 0;
      return outcome;
    }
    ending.abort();
    if (client === this.client) this.missed();
    return left(outcome.rejection);
  }

  /** Runs for as long as it wants, on the client in use: for subscriptions. */
  async run<A>(run: (client: LogClient) => Promise<A>): Promise<A> {
    return run(this.client);
  }

  async close(): Promise<void> {
    this.retire(this.client);
    await Promise.all(this.closing);
  }

  private missed(): void {
    this.misses += 1;
    if (this.misses < MISSES || Date.now() - this.openedAt < RENEWAL_PAUSE_MS) return;
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
