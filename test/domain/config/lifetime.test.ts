import fc from 'fast-check';
import { isRight, right } from 'fp-ts/Either';
import { changeLifetime, checkLifetime, decideLifetime, DEFAULT_LIFECYCLE } from '../../../domain/config';
import { durationMs } from '../../../domain/kernel/codecs';

const limits = DEFAULT_LIFECYCLE.instance; // PT24H, PT4H, at most P7D

describe('the lifetime of a resource', () => {
  it('is the configured default unless it is requested otherwise', () => {
    expect(decideLifetime({}, limits)).toEqual(right({ ttl: 'PT24H', inactivityTimeout: 'PT4H' }));
    const cleared = decideLifetime({ ttl: null, inactivityTimeout: null }, limits);
    expect(cleared).toEqual(right({ ttl: 'PT24H', inactivityTimeout: 'PT4H' }));
  });

  it('is kept as it was sent', () => {
    const asked = { ttl: 'P1DT0H', inactivityTimeout: 'PT90M' };
    expect(decideLifetime(asked, limits)).toEqual(right(asked));
  });

  it.each(['ttl', 'inactivityTimeout'] as const)('a %s above the maximum is rejected', (name) => {
    const field = name === 'ttl' ? 'ttl' : 'inactivity_timeout';
    expect(decideLifetime({ [name]: 'P8D' }, limits)).toMatchObject({
      left: { code: 'VALIDATION_FAILED', details: { field, requested: 'P8D', max_allowed: 'P7D' } },
    });
  });

  it('an inactivity above the ttl is rejected, including the default ttl', () => {
    const refused = { left: { code: 'VALIDATION_FAILED', details: { field: 'inactivity_timeout' } } };
    expect(decideLifetime({ ttl: 'PT1H', inactivityTimeout: 'PT61M' }, limits)).toMatchObject(refused);
    expect(decideLifetime({ inactivityTimeout: 'PT25H' }, limits)).toMatchObject(refused);
    expect(isRight(decideLifetime({ ttl: 'PT1H', inactivityTimeout: 'PT60M' }, limits))).toBe(true);
  });

  it('a ttl below the default inactivity shortens the inactivity to it', () => {
    expect(decideLifetime({ ttl: 'PT1H' }, limits)).toEqual(right({ ttl: 'PT1H', inactivityTimeout: 'PT1H' }));
  });

  it('any inactivity up to the maximum is possible without a ttl', () => {
    expect(decideLifetime({ inactivityTimeout: 'P365D' }, DEFAULT_LIFECYCLE.mapping)).toEqual(
      right({ ttl: null, inactivityTimeout: 'P365D' }),
    );
  });

  it('never ends unused after its ttl, and never lasts longer than the maximum', () => {
    const duration = fc.option(
      fc.integer({ min: 1, max: 20 * 86_400 }).map((seconds) => `PT${seconds}S`),
      { nil: null },
    );
    fc.assert(
      fc.property(duration, duration, (ttl, inactivityTimeout) => {
        const decided = decideLifetime({ ttl, inactivityTimeout }, limits);
        if (!isRight(decided)) return;
        const ms = durationMs(decided.right.ttl ?? '') ?? 0;
        expect(durationMs(decided.right.inactivityTimeout)).toBeLessThanOrEqual(ms);
        expect(ms).toBeLessThanOrEqual(durationMs(limits.maxTtl) ?? 0);
      }),
    );
  });
});

describe('changing the lifetime of a resource', () => {
  const current = { ttl: 'P2D', inactivityTimeout: 'P1D' };

  it('keeps absent fields and resets null to the default', () => {
    expect(changeLifetime(current, {}, limits)).toEqual(right(current));
    expect(changeLifetime(current, { ttl: 'P3D' }, limits)).toEqual(right({ ttl: 'P3D', inactivityTimeout: 'P1D' }));
    const cleared = changeLifetime(current, { ttl: null, inactivityTimeout: null }, limits);
    expect(cleared).toEqual(right({ ttl: 'PT24H', inactivityTimeout: 'PT4H' }));
  });

  it('shortens a kept inactivity to a shorter ttl, and rejects a requested one', () => {
    expect(changeLifetime(current, { ttl: 'PT1H' }, limits)).toEqual(right({ ttl: 'PT1H', inactivityTimeout: 'PT1H' }));
    expect(changeLifetime(current, { ttl: 'PT1H', inactivityTimeout: 'PT2H' }, limits)).toMatchObject({
      left: { details: { field: 'inactivity_timeout', requested: 'PT2H', max_allowed: 'PT1H' } },
    });
  });

  it('keeps values that were valid under earlier limits', () => {
    const old = { ttl: 'P20D', inactivityTimeout: 'P9D' };
    expect(changeLifetime(old, { inactivityTimeout: 'P2D' }, limits)).toEqual(
      right({ ttl: 'P20D', inactivityTimeout: 'P2D' }),
    );
  });

  it('is invalid by itself only if it is invalid for every resource', () => {
    const duration = fc.option(
      fc.integer({ min: 1, max: 20 * 86_400 }).map((seconds) => `PT${seconds}S`),
      { nil: undefined },
    );
    fc.assert(
      fc.property(duration, duration, (ttl, inactivityTimeout) => {
        const asked = { ttl, inactivityTimeout };
        const longest = { ttl: 'P365D', inactivityTimeout: 'PT1S' };
        expect(isRight(checkLifetime(asked, limits))).toBe(isRight(changeLifetime(longest, asked, limits)));
      }),
    );
  });
});
