import { type IncomingMessage, type RequestListener } from 'node:http';
import express from 'express';
import { domainError } from '../../../domain/kernel/errors';
import { requestIdMiddleware, sendErrorAndClose } from './respond';

/** Names of this machine that only its own programs can mean. */
const LOOPBACK = /^(127\.\d+\.\d+\.\d+|localhost|\[?::1\]?)$/;

/** Whether only programs on this machine reach a host. */
export const isLoopback = (host: string): boolean => LOOPBACK.test(host);

/**
 * Answers 421 to requests for another host, or from a page of another origin, than this machine and `hosts`. Without
 * credentials a port on loopback is protected by being reachable from this machine alone; a page in a browser of this
 * machine also reaches it, by a name of its own that it lets lead to loopback (DNS rebinding).
 */
export const refuseForeignHosts = (hosts: readonly string[], listener: RequestListener): RequestListener => {
  const refusal = express();
  refusal.disable('x-powered-by').use(requestIdMiddleware, (request, response) => {
    const { host, origin } = request.headers;
    const from = origin === undefined ? '' : `, from ${origin}`;
    const message = `This server does not answer for ${host ?? ''}${from}. Use its base URL, or set ROWGRAPH_BASE_URL to the address that clients use.`;
    sendErrorAndClose(response, domainError('MISDIRECTED_REQUEST', message));
  });
  const isOwn = (url: string): boolean => {
    if (!URL.canParse(url)) return false;
    const { hostname } = new URL(url);
    return isLoopback(hostname) || hosts.includes(hostname);
  };
  const isForeign = ({ headers: { host, origin } }: IncomingMessage): boolean =>
    (host !== undefined && !isOwn(`http://${host}`)) || (origin !== undefined && !isOwn(origin));
  return (request, response) => (isForeign(request) ? refusal : listener)(request, response);
};
