import { readFile } from 'node:fs/promises';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { parseJson } from '../../domain/kernel/codecs';
import { type QueryEngineError } from '../../domain/ports/query-engine';
import { fetchReason } from '../system/fetch-reason';
import { type CallOutcome, outcomeOfStatus, timeCall } from '../system/outside-calls';
import { retry } from '../system/retry';
import { engineError } from './trino-error';
import { exactNumbers, valueReader } from './trino-types';

export interface TrinoClientSettings {
  /** Origin of the coordinator. Addresses that it returns are requested there, regardless of their host. */
  readonly url: string;
  /** The default user of statements, and that of Basic authentication. */
  readonly user: string;
  /** Basic authentication; read at each request, so that it can be replaced. */
  readonly passwordFile: string | null;
  /** A JWT; read at each request. */
  readonly tokenFile: string | null;
  /** Time for an unavailable server to return before a request fails. */
  readonly timeoutMs: number;
}

/** The options of one statement. */
export interface StatementOptions {
  readonly catalog: string | null;
  readonly schema: string | null;
  /** The user it runs as; null: the configured one. */
  readonly user: string | null;
  readonly tags: readonly string[];
  /** `catalog.property` to value. */
  readonly session: Readonly<Record<string, string>>;
  /** Prepared statements by name. */
  readonly prepared: Readonly<Record<string, string>>;
}

/** A response of the server. Without `nextUri` the statement has ended. */
export interface Page {
  readonly queryId: string;
  readonly nextUri: string | null;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** BIGINT is a bigint, DECIMAL and times are texts, as Trino writes them. */
  readonly rows: readonly (readonly unknown[])[];
  /** Rows that a writing statement wrote; null until reported. */
  readonly updateCount: number | null;
}

const PLAIN: StatementOptions = { catalog: null, schema: null, user: null, tags: [], session: {}, prepared: {} };

const ErrorLocation = t.type({ lineNumber: t.number, columnNumber: t.number });
const Answer = t.intersection([
  t.type({ id: t.string }),
  t.partial({
    nextUri: t.string,
    columns: t.readonlyArray(t.type({ name: t.string, type: t.string })),
    data: t.readonlyArray(t.readonlyArray(t.unknown)),
    updateCount: t.union([t.number, t.null]),
    error: t.intersection([
      t.type({ message: t.string, errorName: t.string, errorType: t.string }),
      t.partial({ errorLocation: ErrorLocation }),
    ]),
  }),
]);

const REQUEST_MS = 60_000;
/** For statements about tables. */
const LIST_MS = 60_000;
/** The server, or a proxy before it, is overloaded or unavailable. */
const AWAY = new Set([429, 502, 503, 504]);

type Asked = Either<QueryEngineError, Page>;

/** A client of Trino's statement protocol. */
export class TrinoClient {
  readonly #origin: string;

  constructor(private readonly settings: TrinoClientSettings) {
    this.#origin = new URL(settings.url).origin;
  }

  /**
   * Submits a statement. The server starts it when the returned `nextUri` is requested, so a repetition is harmless.
   */
  submit(sql: string, options: Partial<StatementOptions> = {}): Promise<Asked> {
    const headers = statementHeaders({ ...PLAIN, ...options });
    return this.#ask(`${this.#origin}/v1/statement`, { method: 'POST', body: sql, headers }, options.user ?? null);
  }

  /** The next page; waits up to a second for changes. The newest address may be requested again. */
  next(nextUri: string, user: string | null = null): Promise<Asked> {
    return this.#ask(this.#pinned(nextUri), { method: 'GET' }, user);
  }

  /** Runs a statement to its end; all its rows as one page. `signal` cancels it. */
  async run(sql: string, options: Partial<StatementOptions> = {}, signal?: AbortSignal): Promise<Asked> {
    const user = options.user ?? null;
    let page = await this.submit(sql, options);
    const rows: (readonly unknown[])[] = [];
    for (;;) {
      if (isLeft(page)) return page;
      rows.push(...page.right.rows);
      const { nextUri } = page.right;
      if (nextUri === null) return right({ ...page.right, rows });
      if (signal?.aborted === true) {
        await this.cancel(nextUri, user);
        return left({ kind: 'query_failed', message: 'Trino did not answer in time; it may be busy', canRetry: true });
      }
      page = await this.next(nextUri, user);
    }
  }

  /** The rows of a statement about tables, decoded. */
  async rows<A>(
    codec: t.Decoder<unknown, A>,
    sql: string,
    options: Partial<StatementOptions> = {},
  ): Promise<Either<QueryEngineError, A>> {
    const page = await this.run(sql, options, AbortSignal.timeout(LIST_MS));
    if (isLeft(page)) return page;
    const rows = codec.decode(page.right.rows);
    const message = `Trino's response has an unexpected form: ${sql}`;
    return isLeft(rows) ? left({ kind: 'query_failed', message, canRetry: false }) : rows;
  }

  /** Cancels a statement in any state, including before its first page; an ended statement is not an error. */
  async cancel(nextUri: string, user: string | null = null): Promise<Either<QueryEngineError, void>> {
    const sent = await this.#send(this.#pinned(nextUri), { method: 'DELETE' }, user);
    if (isLeft(sent)) return sent;
    const isGone = sent.right.status < 300 || sent.right.status === 404 || sent.right.status === 410;
    return isGone ? right(undefined) : left(unexpected(sent.right));
  }

  /** The server returns addresses by the client's Host header; credentials are sent to the configured origin only. */
  #pinned(uri: string): string {
    const { pathname, search } = new URL(uri, this.#origin);
    return this.#origin + pathname + search;
  }

  async #ask(uri: string, init: RequestInit, user: string | null): Promise<Asked> {
    const once = async (): Promise<Asked> => {
      const sent = await this.#sendOnce(uri, init, user);
      return isLeft(sent) ? sent : readPage(sent.right);
    };
    return this.#patiently(once);
  }

  #send(uri: string, init: RequestInit, user: string | null): Promise<Either<QueryEngineError, Received>> {
    return this.#patiently(() => this.#sendOnce(uri, init, user));
  }

  #patiently<A>(once: () => Promise<Either<QueryEngineError, A>>): Promise<Either<QueryEngineError, A>> {
    return retry(once, {
      ...{ pausesMs: [100, 2_000], hasJitter: true },
      until: Date.now() + this.settings.timeoutMs,
      onFailure: ({ kind }) => kind === 'unavailable',
    });
  }

  #sendOnce(uri: string, init: RequestInit, user: string | null): Promise<Either<QueryEngineError, Received>> {
    return timeCall('trino', () => this.#fetch(uri, init, user), outcomeOf);
  }

  async #fetch(uri: string, init: RequestInit, user: string | null): Promise<Either<QueryEngineError, Received>> {
    try {
      const headers = { ...(await this.#identity(user)), ...init.headers };
      const signal = AbortSignal.timeout(REQUEST_MS);
      const response = await fetch(uri, { ...init, headers, redirect: 'error', signal });
      const received = { status: response.status, text: await response.text() };
      return AWAY.has(received.status) ? left({ ...unexpected(received), kind: 'unavailable' }) : right(received);
    } catch (error) {
      return left({ kind: 'unavailable', message: `Trino at ${this.#origin}: ${fetchReason(error)}` });
    }
  }

  async #identity(user: string | null): Promise<Record<string, string>> {
    const { passwordFile, tokenFile, user: configured } = this.settings;
    const secret = async (path: string): Promise<string> => (await readFile(path, 'utf8')).trim();
    const authorization =
      tokenFile !== null
        ? `Bearer ${await secret(tokenFile)}`
        : passwordFile !== null
          ? `Basic ${Buffer.from(`${configured}:${await secret(passwordFile)}`).toString('base64')}`
          : null;
    return {
      'X-Trino-User': encodeHeader(user ?? configured),
      'X-Trino-Source': 'rowgraph',
      'X-Trino-Client-Capabilities': 'PARAMETRIC_DATETIME',
      ...(authorization === null ? {} : { Authorization: authorization }),
    };
  }
}

const outcomeOf = (sent: Either<QueryEngineError, Received>): CallOutcome =>
  isLeft(sent) ? 'unavailable' : outcomeOfStatus(sent.right.status);

interface Received {
  readonly status: number;
  readonly text: string;
}

/** Trino reads header values as Latin-1; nothing else can be sent. */
const encodeHeader = (value: string): string => value.replaceAll(/[^ -\xff]/g, '?');

const pairs = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join(',');

const statementHeaders = ({ catalog, schema, tags, session, prepared }: StatementOptions): Record<string, string> => {
  const headers: Readonly<Record<string, string>> = {
    'X-Trino-Catalog': catalog ?? '',
    'X-Trino-Schema': catalog === null ? '' : (schema ?? ''),
    'X-Trino-Client-Tags': tags.map((tag) => tag.replaceAll(',', ' ')).join(','),
    'X-Trino-Session': pairs(session),
    'X-Trino-Prepared-Statement': pairs(prepared),
  };
  const given = Object.entries(headers).filter(([, value]) => value !== '');
  return Object.fromEntries(given.map(([name, value]) => [name, encodeHeader(value)]));
};

const unexpected = ({ status, text }: Received) =>
  status === 401 || status === 403
    ? ({
        kind: 'query_failed',
        message: `Trino denies access (${status}): ${shortened(text)}`,
        canRetry: false,
      } as const)
    : ({ kind: 'query_failed', message: `Trino answered ${status}: ${shortened(text)}`, canRetry: false } as const);

const shortened = (text: string): string => text.replaceAll(/\s+/g, ' ').trim().slice(0, 300) || 'no text';

const readPage = (received: Received): Asked => {
  const { status, text } = received;
  if (status === 404 || status === 410) {
    return left({ kind: 'unknown_query', message: `Trino no longer knows the query (${status})` });
  }
  const answer = status === 200 ? Answer.decode(parseJson(exactNumbers(text))) : null;
  if (answer === null) return left(unexpected(received));
  if (isLeft(answer)) return left(unexpected({ status, text: `a page of an unknown form: ${text}` }));
  const { id, nextUri = null, columns = [], data = [], updateCount = null, error } = answer.right;
  if (error !== undefined) return left(engineError(error));
  const read = valueReader(columns.map(({ type }) => type));
  return right({ queryId: id, nextUri, columns, rows: data.map(read), updateCount });
};
