import { createHmac } from 'node:crypto';
import { type Clock } from '../../../domain/ports/clock';
import { sameSecret } from '../../system/secret';

/** The part of a request that identifies its session. */
export interface SessionRequest {
  readonly method: string;
  readonly header: (name: string) => string | undefined;
}

/** A session of the console, which stands for an API key. */
export interface Session {
  readonly keyId: string;
  /** ISO 8601. */
  readonly expiresAt: string;
}

/** Sessions of browsers. The cookie names the key without containing it, so that its theft does not reveal the key. */
export interface Sessions {
  /** A new session with a key, which ends with the key at the latest, and the cookie that opens it. */
  open(keyId: string, keyExpiresAt: string | null): { readonly session: Session; readonly cookie: string };
  /** The cookie that closes the session of a browser. */
  readonly closingCookie: string;
  /** The session of a request from a page of this server; null without a valid one. */
  read(request: SessionRequest): Session | null;
}

const COOKIE = 'rowgraph_session';
const LONGEST_MS = 12 * 3_600_000;
const VALUE = /^([0-9a-f]{24})\.(\d{1,15})\.([0-9a-f]{64})$/;

/** @param baseUrl The address at which browsers reach the console. */
export const createSessions = (secret: string, baseUrl: string, clock: Clock): Sessions => {
  const { protocol, pathname, host } = new URL(baseUrl);
  const attributes = `Path=${pathname}; HttpOnly; SameSite=Strict${protocol === 'https:' ? '; Secure' : ''}`;
  const sign = (keyId: string, expiresMs: number): string =>
    createHmac('sha256', secret).update(`console session ${keyId}.${expiresMs}`).digest('hex');

  /** Pages of another origin of the same site send the cookie too; browsers name their origin in every change. */
  const isFromOwnPage = ({ method, header }: SessionRequest): boolean => {
    const origin = header('Origin');
    if (origin === undefined) return method === 'GET' || method === 'HEAD';
    return URL.canParse(origin) && [header('Host'), host].includes(new URL(origin).host);
  };

  return {
    open: (keyId, keyExpiresAt) => {
      const nowMs = clock.now().getTime();
      const expiresMs = Math.min(nowMs + LONGEST_MS, keyExpiresAt === null ? Infinity : Date.parse(keyExpiresAt));
      const value = `${keyId}.${expiresMs}.${sign(keyId, expiresMs)}`;
      const maxAge = Math.max(0, Math.floor((expiresMs - nowMs) / 1000));
      return {
        session: { keyId, expiresAt: new Date(expiresMs).toISOString() },
        cookie: `${COOKIE}=${value}; Max-Age=${maxAge}; ${attributes}`,
      };
    },
    closingCookie: `${COOKIE}=; Max-Age=0; ${attributes}`,
    read: (request) => {
      const cookies = (request.header('Cookie') ?? '').split(';').map((cookie) => cookie.trim());
      const given = cookies.find((cookie) => cookie.startsWith(`${COOKIE}=`))?.slice(COOKIE.length + 1);
      const [, keyId = '', expires = '', signature = ''] = VALUE.exec(given ?? '') ?? [];
      const expiresMs = Number(expires);
      const isValid = keyId !== '' && sameSecret(signature, sign(keyId, expiresMs));
      return isValid && expiresMs > clock.now().getTime() && isFromOwnPage(request)
        ? { keyId, expiresAt: new Date(expiresMs).toISOString() }
        : null;
    },
  };
};
