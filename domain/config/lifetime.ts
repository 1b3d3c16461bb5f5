import { type Either, left, right } from 'fp-ts/Either';
import { durationMs } from '../kernel/codecs';
import { type DomainError, type Fault, invalidFields } from '../kernel/errors';
import { type LifecycleLimits } from './events';

/** How long a resource lives: until `ttl` after its creation, or unused for `inactivityTimeout`. Durations as text. */
export interface Lifetime {
  readonly ttl: string | null;
  readonly inactivityTimeout: string;
}

/** The errors of a requested lifetime: at most one per field. */
export const lifetimeFaults = (
  requested: RequestedLifetime,
  { defaultTtl, maxTtl }: Pick<LifecycleLimits, 'defaultTtl' | 'maxTtl'>,
): readonly Fault[] => {
  const ttl = requested.ttl ?? defaultTtl;
  const inactivity = requested.inactivityTimeout ?? null;
  return [
    ...aboveMaximum('ttl', requested.ttl ?? null, maxTtl, maxTtl),
    ...(inactivity !== null && ttl !== null && !exceeds(inactivity, maxTtl)
      ? aboveMaximum('inactivity_timeout', inactivity, ttl, `the ttl, ${ttl}`)
      : aboveMaximum('inactivity_timeout', inactivity, maxTtl, maxTtl)),
  ];
};

const aboveMaximum = (field: string, value: string | null, maximum: string, words: string): readonly Fault[] =>
  value !== null && exceeds(value, maximum)
    ? [{ field, message: `must be at most ${words}`, requested: value, max_allowed: maximum }]
    : [];

/**
 * The lifetime of a resource from the requested values and the configured defaults. A ttl above the maximum and an
 * inactivity above the ttl are rejected; a default inactivity above the ttl is cut to it.
 */
export const decideLifetime = (
  requested: RequestedLifetime,
  limits: LifecycleLimits,
): Either<DomainError<'VALIDATION_FAILED'>, Lifetime> => {
  const faults = lifetimeFaults(requested, limits);
  return faults.length > 0 ? left(invalidFields(faults)) : right(lifetimeOf(requested, limits));
};

/** The lifetime that results from a valid request. */
export const lifetimeOf = (requested: RequestedLifetime, limits: LifecycleLimits): Lifetime => {
  const ttl = requested.ttl ?? limits.defaultTtl;
  const usual = ttl !== null && exceeds(limits.defaultInactivity, ttl) ? ttl : limits.defaultInactivity;
  return { ttl, inactivityTimeout: requested.inactivityTimeout ?? usual };
};

/** A requested change of a lifetime: absent fields do not change, null resets to the default. */
export interface RequestedLifetime {
  readonly ttl?: string | null | undefined;
  readonly inactivityTimeout?: string | null | undefined;
}

/** A lifetime after a change; the rules are those of a new one. */
export const changeLifetime = (
  current: Lifetime,
  requested: RequestedLifetime,
  limits: LifecycleLimits,
): Either<DomainError<'VALIDATION_FAILED'>, Lifetime> =>
  // Unchanged values replace the defaults, so that they are cut to a shorter ttl and not checked again.
  decideLifetime(
    { ttl: requested.ttl ?? null, inactivityTimeout: requested.inactivityTimeout ?? null },
    {
      ...limits,
      defaultTtl: requested.ttl === undefined ? current.ttl : limits.defaultTtl,
      defaultInactivity:
        requested.inactivityTimeout === undefined ? current.inactivityTimeout : limits.defaultInactivity,
    },
  );

/** Checks a change without the lifetime that it applies to. */
export const checkLifetime = (
  requested: RequestedLifetime,
  limits: LifecycleLimits,
): Either<DomainError<'VALIDATION_FAILED'>, unknown> =>
  changeLifetime({ ttl: null, inactivityTimeout: limits.defaultInactivity }, requested, limits);

const exceeds = (duration: string, limit: string): boolean => (durationMs(duration) ?? 0) > (durationMs(limit) ?? 0);
