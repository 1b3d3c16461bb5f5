import { type Either, isLeft } from 'fp-ts/Either';
import { v4 as randomUuid } from 'uuid';
import { type AnyEndpoint } from '../http/kit';
import { readAnswer } from './answer';
import { type Send } from './operations';
import { type ConnectionLoss, type OutgoingRequest, type RawAnswer, requestTarget, type Transport } from './transport';

export interface SenderOptions {
  readonly transport: Transport;
  readonly baseUrl: string;
  readonly identity: Identity;
  /** Whether an operation can be sent twice; `keyed`: with an idempotency key. */
  readonly repeatable: (endpoint: AnyEndpoint) => boolean | 'keyed';
}

const PATIENCE_MS = 60_000;
/** Pauses between attempts, long enough for a restart of the server. */
const PAUSES_MS = [100, 400, 1000];
/**
 * Sends operations, with retries where that is safe: after a lost connection and after answers like 503. Reads carry the
 * position of the last write, so that every replica returns it.
 */
export const createSender = ({ transport, baseUrl, identity, repeatable }: SenderOptions): Send => {
  let writtenPosition: string | null = null;
  return async (endpoint, input) => {
    const url = requestTarget(baseUrl, endpoint, input.params ?? {}, input.query ?? {});
    const mode = repeatable(endpoint);
    const isRead = endpoint.method === 'GET';
    const request: OutgoingRequest = {
      method: endpoint.method,
      url,
      signal: input.signal,
      patienceMs: input.patienceMs ?? PATIENCE_MS,
      body: endpoint.body === undefined ? undefined : JSON.stringify(input.body ?? {}),
      headers: {
        ...identityHeaders(identity),
        ...(mode === 'keyed' ? { 'Idempotency-Key': randomUuid() } : {}),
        ...(isRead && writtenPosition !== null ? { 'X-Min-Position': writtenPosition } : {}),
      },
    };
    const answer = await untilAnswered(
      transport,
      request,
      mode !== false && endpoint.success.degradedStatus === undefined,
    );
    if (isLeft(answer)) return answer;
    const position = answer.right.headers['x-event-position'];
    if (!isRead && typeof position === 'string') writtenPosition = position;
    return readAnswer(endpoint, url.href, answer.right);
  };
};

const untilAnswered = async (
  transport: Transport,
  request: OutgoingRequest,
  mayRepeat: boolean,
): Promise<Either<ConnectionLoss, RawAnswer>> => {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await transport(request);
    const pause = PAUSES_MS[attempt - 1];
    if (pause === undefined || !mayRepeat || request.signal?.aborted === true || !isRetryable(answer, attempt))
      return answer;
    await new Promise((resume) => setTimeout(resume, pause));
  }
};

const isRetryable = (answer: Either<ConnectionLoss, RawAnswer>, attempt: number): boolean => {
  if (isLeft(answer)) return true;
  const { status, text } = answer.right;
  // Maintenance takes longer than a second; a conflict in a retry is the first attempt in progress.
  if (status === 503) return !text.includes('"maintenance":true');
  return status === 502 || status === 504 || (status === 409 && attempt > 1 && text.includes('"CONFLICT"'));
};

/** An API key or token, or a username where the server trusts its edge or this machine. */
export type Identity =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'username'; readonly username: string; readonly edgeToken: string | null }
  | { readonly kind: 'anonymous' };

export const identityHeaders = (identity: Identity): Readonly<Record<string, string>> => {
  if (identity.kind === 'anonymous') return {};
  if (identity.kind === 'key') return { Authorization: `Bearer ${identity.key}` };
  const { username, edgeToken } = identity;
  return { 'X-Username': username, ...(edgeToken === null ? {} : { 'X-Edge-Token': edgeToken }) };
};
