import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Response, Router } from 'express';
import { packageRoot } from '../../system/package-root';
import { serveGet } from '../kit/router';
import { pagePolicy } from './page-policy';

const TYPES: Readonly<Record<string, string>> = { js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml' };
const ENCODINGS = [
  ['br', 'br'],
  ['gzip', 'gz'],
] as const;

interface ConsoleOptions {
  readonly instanceBaseUrl: string;
  /** URL of the identity provider for the page's login; null: none. */
  readonly issuer: string | null;
}

/** The web console as built by `npm run build`: one page at the root, and its files with content hashes. */
export const consolePage = ({ instanceBaseUrl, issuer }: ConsoleOptions): Router => {
  const folder = join(packageRoot, 'dist', 'console');
  const router = Router({ strict: true });
  const page = join(folder, 'index.html');
  if (!existsSync(page)) return router;
  const csp = pagePolicy([instanceBaseUrl, ...(issuer === null ? [] : [issuer])].map((url) => new URL(url).origin));
  serveGet(router, '/', (_request, response) => {
    response.setHeader('Content-Security-Policy', csp);
    response.setHeader('Cache-Control', 'no-cache');
    response.type('html').send(readFileSync(page));
  });
  const names = readdirSync(join(folder, 'console'));
  for (const name of names.filter((one) => !/\.(br|gz)$/.test(one))) {
    const encodings = ENCODINGS.filter(([, extension]) => names.includes(`${name}.${extension}`));
    serveGet(router, `/console/${name}`, (request, response) => {
      const encoding = encodings.find(([coding]) => request.acceptsEncodings(coding) === coding);
      sendAsset(response, join(folder, 'console', name), encoding);
    });
  }
  return router;
};

/** A file whose name changes with its content, so that browsers can cache it without expiry. */
const sendAsset = (response: Response, path: string, encoding: (typeof ENCODINGS)[number] | undefined): void => {
  response.setHeader(
    'Content-Type',
    `${TYPES[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream'}; charset=utf-8`,
  );
  response.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
  response.setHeader('Vary', 'Accept-Encoding');
  if (encoding !== undefined) response.setHeader('Content-Encoding', encoding[0]);
  response.end(readFileSync(encoding === undefined ? path : `${path}.${encoding[1]}`));
};
