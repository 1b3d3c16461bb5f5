import { ErrorType } from '@eventstore/db-client';

/** The kinds of a rejection by the client. */
export type Rejection =
  /** `actual` is the last revision, null if the stream does not exist. */
  | { readonly kind: 'wrong_expected_revision'; readonly actual: number | null }
  /** `maxBytes`: the server's limit of one append, null if it does not report it. */
  | { readonly kind: 'too_large'; readonly maxBytes: number | null }
  /** The stream does not exist, or was deleted and can be started again. */
  | { readonly kind: 'no_stream' }
  /** The stream was deleted permanently. */
  | { readonly kind: 'tombstone' }
  /** Permanent failure: a retry fails too; nothing was written. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** Temporary failure: a retry may succeed. `wasSent`: the call may have taken effect. */
  | { readonly kind: 'no_answer'; readonly reason: string; readonly wasSent: boolean };

/** The rejections of the client as far as they are known: its own errors, gRPC's and others. */
interface Rejected {
  readonly type: string;
  readonly code: number | null;
  readonly text: string;
  readonly actual: number | null;
  readonly maxBytes: number | null;
}

const ofType =
  (...types: readonly string[]) =>
  ({ type }: Rejected): boolean =>
    types.includes(type);

const withText =
  (pattern: RegExp) =>
  ({ text }: Rejected): boolean =>
    pattern.test(text);

const refused =
  (words: string) =>
  ({ text }: Rejected): Rejection => ({ kind: 'refused', reason: text === '' ? words : `${words} (${text})` });

const again =
  (words: string, wasSent = true) =>
  ({ text }: Rejected): Rejection => ({
    kind: 'no_answer',
    reason: text === '' ? words : `${words} (${text})`,
    wasSent,
  });

/** One line per rejection; the first match applies. */
const TABLE: readonly (readonly [(rejected: Rejected) => boolean, (rejected: Rejected) => Rejection])[] = [
  [ofType(ErrorType.WRONG_EXPECTED_VERSION), ({ actual }) => ({ kind: 'wrong_expected_revision', actual })],
  [ofType(ErrorType.MAXIMUM_APPEND_SIZE_EXCEEDED), ({ maxBytes }) => ({ kind: 'too_large', maxBytes })],
  [withText(/Maximum Append Size of (\d+)/i), ({ maxBytes }) => ({ kind: 'too_large', maxBytes })],
  [ofType(ErrorType.STREAM_DELETED), () => ({ kind: 'tombstone' })],
  [ofType(ErrorType.STREAM_NOT_FOUND, ErrorType.NO_STREAM), () => ({ kind: 'no_stream' })],
  [({ code }) => code === 16, refused('it does not know the user or the password')],
  [ofType(ErrorType.ACCESS_DENIED), refused('its user lacks the right to do this')],
  [({ code }) => code === 12, refused('it is older than 21.10 and lacks what rowgraph calls')],
  [
    withText(/No connection established.*(certificate|self.signed|CERT_|altname|SSL|TLS|wrong version number)/is),
    again('no trusted connection could be made: check tls, tlsCaFile and the certificate of the server', false),
  ],
  [withText(/No connection established/i), again('no connection could be made', false)],
  [withText(/ended before this one was sent/), again('the connection was lost', false)],
  [withText(/Failed to discover/i), again('no leader was found that answers', false)],
  [ofType(ErrorType.NOT_LEADER), again('the node that was asked is no longer the leader')],
  [ofType(ErrorType.UNAVAILABLE), again('the connection was lost or the server is not ready')],
  [({ code }) => code === 14, again('the connection was lost')],
  [ofType(ErrorType.DEADLINE_EXCEEDED), again('the server did not finish in time')],
  [ofType(ErrorType.TIMEOUT), again('the nodes did not agree in time')],
  [ofType(ErrorType.CANCELLED), again('the call was cancelled')],
  [({ code }) => code === 1, again('the call was cancelled')],
  [withText(/Not Ready|Too Busy/i), again('the server is starting or busy')],
  [() => true, again('the client of EventStoreDB rejected for an unknown reason')],
];

export const rejectionOf = (error: unknown): Rejection => {
  const rejected = describe(error);
  const line = TABLE.find(([fits]) => fits(rejected));
  return line === undefined ? again('no reason was given')(rejected) : line[1](rejected);
};

/** For a caller whose timeout has ended. */
export const noAnswerWithin = (ms: number): Rejection => ({
  kind: 'no_answer',
  reason: `no answer within ${ms} ms`,
  wasSent: true,
});

const describe = (error: unknown): Rejected => {
  const field = (name: string): unknown =>
    typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;
  const [code, type, actual, maxBytes] = ['code', 'type', 'actualVersion', 'maxAppendSize'].map(field);
  const text = error instanceof Error ? error.message : String(error);
  const [, bytesInText] = /Maximum Append Size of (\d+)/i.exec(text) ?? [];
  return {
    type: typeof type === 'string' ? type : '',
    code: typeof code === 'number' ? code : null,
    text,
    actual: typeof actual === 'bigint' ? Number(actual) : null,
    maxBytes: typeof maxBytes === 'number' ? maxBytes : bytesInText === undefined ? null : Number(bytesInText),
  };
};
