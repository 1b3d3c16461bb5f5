import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { isLeft } from 'fp-ts/Either';
import { type Logger } from 'pino';
import { type IssuerKeys } from './issuer-keys';

/** After so long a key the issuer has withdrawn is not taken any more. */
const REFRESH_EVERY_MS = 300_000;
/** So soon an issuer that was away is asked again. */
const RETRY_EVERY_MS = 5_000;

/** Reads the keys of the issuer, again and again until the signal aborts. Those that are known hold while it is away. */
export const keepKeysFresh = async (
  keys: Pick<IssuerKeys, 'refresh'>,
  issuer: string,
  log: Logger,
  signal: AbortSignal,
): Promise<void> => {
  let wasAway = false;
  const stopped = once(signal, 'abort').then(() => null);
  while (!signal.aborted) {
    const read = await Promise.race([keys.refresh(), stopped]);
    if (read === null) return;
    const isAway = isLeft(read);
    if (isAway && !wasAway) {
      log.warn({ issuer, reason: read.left }, 'the keys of the identity provider cannot be read; those known hold');
    }
    if (!isAway && wasAway) log.info({ issuer }, 'the keys of the identity provider are read again');
    wasAway = isAway;
    await sleep(isAway ? RETRY_EVERY_MS : REFRESH_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
};
