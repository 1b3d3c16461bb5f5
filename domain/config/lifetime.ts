import { type Either, left, right } from 'fp-ts/Either';
import { durationMs } from '../kernel/codecs';
import { type DomainError, invalidField } from '../kernel/errors';
import { type LifecycleLimits } from './events';

/** How long a resource lives: until `ttl` after its creation, or unused for `inactivityTimeout`. Durations as text. */
export interface Lifetime {
  readonly ttl: string | null;
  readonly inactivityTimeout: string;
}

/**
 * The lifetime a resource gets from what was asked for and the configured defaults. A ttl above the maximum and an
 * inactivity above the ttl are refused; a default inactivity above the ttl is cut to it.
 */
export const decideLifetime = (
  asked: { readonly ttl?: string | null; readonly inactivityTimeout?: string | null },
  limits: LifecycleLimits,
): Either<DomainError<'VALIDATION_FAILED'>, Lifetime> => {
  const ttl = asked.ttl ?? limits.defaultTtl;
  for (const [field, value] of [
    ['ttl', asked.ttl],
    ['inactivity_timeout', asked.inactivityTimeout],
  ] as const) {
    if (value != null && exceeds(value, limits.maxTtl)) {
      return left(
        invalidField(field, `must be at most ${limits.maxTtl}`, { requested: value, max_allowed: limits.maxTtl }),
      );
    }
  }
  if (asked.inactivityTimeout != null) {
    return ttl !== null && exceeds(asked.inactivityTimeout, ttl)
      ? left(
          invalidField('inactivity_timeout', `must be at most the ttl, ${ttl}`, {
            requested: asked.inactivityTimeout,
            max_allowed: ttl,
          }),
        )
      : right({ ttl, inactivityTimeout: asked.inactivityTimeout });
  }
  const inactivityTimeout = ttl !== null && exceeds(limits.defaultInactivity, ttl) ? ttl : limits.defaultInactivity;
  return right({ ttl, inactivityTimeout });
};

/** A change of a lifetime as it was asked for: what is absent stays, null clears to the default. */
export interface AskedLifetime {
  readonly ttl?: string | null | undefined;
  readonly inactivityTimeout?: string | null | undefined;
}

/** A lifetime after a change; the rules are those of a new one. */
export const changeLifetime = (
  current: Lifetime,
  asked: AskedLifetime,
  limits: LifecycleLimits,
): Either<DomainError<'VALIDATION_FAILED'>, Lifetime> =>
  // What stays takes the place of the default, so that it is cut to a shorter ttl and not checked again.
  decideLifetime(
    { ttl: asked.ttl ?? null, inactivityTimeout: asked.inactivityTimeout ?? null },
    {
      ...limits,
      defaultTtl: asked.ttl === undefined ? current.ttl : limits.defaultTtl,
      defaultInactivity: asked.inactivityTimeout === undefined ? current.inactivityTimeout : limits.defaultInactivity,
    },
  );

/** Whether a change can be right at all, whatever lifetime it changes. */
export const checkLifetime = (
  asked: AskedLifetime,
  limits: LifecycleLimits,
): Either<DomainError<'VALIDATION_FAILED'>, unknown> =>
  changeLifetime({ ttl: null, inactivityTimeout: limits.defaultInactivity }, asked, limits);

const exceeds = (duration: string, limit: string): boolean => (durationMs(duration) ?? 0) > (durationMs(limit) ?? 0);
