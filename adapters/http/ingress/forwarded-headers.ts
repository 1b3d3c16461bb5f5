import { type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';

/** Meant for one connection only (RFC 9110, 7.6.1), so each side of the ingress sets its own. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Who calls is said by us alone, in `X-Username` and `X-Forwarded-For`; the proof of it is none of the pod's business. */
const IDENTITY = new Set(['x-username', 'x-user-role', 'x-edge-token', 'authorization', 'x-forwarded-for']);

const OF_THIS_CONNECTION = new Set(['host', 'expect']);

/** The headers of a client's request as the pod gets them. */
export const requestHeaders = (
  received: IncomingHttpHeaders,
  identity: { readonly username: string | null; readonly address: string; readonly requestId: string },
): OutgoingHttpHeaders => ({
  ...without(received, (name) => IDENTITY.has(name.replaceAll('_', '-')) || OF_THIS_CONNECTION.has(name)),
  // Said explicitly, because node leaves the body of a GET or DELETE without any framing otherwise.
  ...(received['transfer-encoding'] === undefined ? {} : { 'transfer-encoding': 'chunked' }),
  ...(identity.username === null ? {} : { 'x-username': identity.username }),
  'x-forwarded-for': identity.address,
  'x-request-id': identity.requestId,
});

/** The headers of a pod's answer as the client gets them. */
export const responseHeaders = (received: IncomingHttpHeaders): OutgoingHttpHeaders => without(received, () => false);

const without = (received: IncomingHttpHeaders, isUnwanted: (name: string) => boolean): OutgoingHttpHeaders => {
  const named = (received.connection ?? '').split(',').map((name) => name.trim().toLowerCase());
  return Object.fromEntries(
    Object.entries(received).filter(([name]) => !HOP_BY_HOP.has(name) && !named.includes(name) && !isUnwanted(name)),
  );
};
