import { Agent as HttpAgent, type IncomingHttpHeaders, type IncomingMessage, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { text as textOfStream } from 'node:stream/consumers';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type ConnectionLoss, type OutgoingRequest, type RawAnswer, type Transport } from './transport';

interface NodeRequest extends OutgoingRequest {
  /** Default: a new connection. */
  readonly agent?: HttpAgent | undefined;
}

interface NodeAnswer extends RawAnswer {
  readonly headers: IncomingHttpHeaders;
}

/** Much shorter than the time after which the server closes an idle connection. */
const IDLE_CONNECTION_MS = 4_000;

const agents = {
  'http:': new HttpAgent({ keepAlive: true, timeout: IDLE_CONNECTION_MS }),
  'https:': new HttpsAgent({ keepAlive: true, timeout: IDLE_CONNECTION_MS }),
};

/** The transport of Node.js, with connection reuse. */
export const nodeTransport: Transport = (request) =>
  exchange({ ...request, agent: request.url.protocol === 'https:' ? agents['https:'] : agents['http:'] });

export const exchange = async (request: NodeRequest): Promise<Either<ConnectionLoss, NodeAnswer>> => {
  const opened = await openExchange(request);
  return isLeft(opened) ? opened : wholeAnswer(request.url, opened.right);
};

export const wholeAnswer = async (url: URL, response: IncomingMessage): Promise<Either<ConnectionLoss, NodeAnswer>> => {
  try {
    const { statusCode: status = 0, headers } = response;
    return right({ status, headers, text: await textOfStream(response) });
  } catch (error) {
    return left(lossOf(url, error instanceof Error ? error : new Error(String(error))));
  }
};

/** Sends a request; resolves with the headers of the response. */
export const openExchange = (request: NodeRequest): Promise<Either<ConnectionLoss, IncomingMessage>> =>
  new Promise((resolve) => {
    const { method, url, headers, body, agent, timeoutMs, signal } = request;
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const outgoing = send(url, {
      method,
      agent: agent ?? false,
      signal,
      headers: {
        ...(body === undefined
          ? {}
          : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }),
        ...headers,
      },
    });
    if (timeoutMs !== undefined) {
      outgoing.setTimeout(timeoutMs, () => outgoing.destroy(new Error(`no answer within ${timeoutMs / 1000} s`)));
    }
    outgoing.on('error', (error) => resolve(left(lossOf(url, error))));
    outgoing.on('response', (response) => resolve(right(response)));
    outgoing.end(body);
  });

/** The error for a host name with several addresses is a list of errors without a message. */
const lossOf = (url: URL, error: Error & { readonly errors?: readonly Error[] }): ConnectionLoss => ({
  kind: 'unreachable',
  url: url.origin,
  reason: error.message || (error.errors?.[0]?.message ?? error.name),
});
