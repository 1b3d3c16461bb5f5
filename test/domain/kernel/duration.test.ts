import fc from 'fast-check';
import { isRight } from 'fp-ts/Either';
import { Duration, durationMs } from '../../../domain/kernel/codecs';

describe('a duration', () => {
  it.each([
    ['PT24H', 86_400],
    ['P7D', 604_800],
    ['PT30M', 1800],
    ['P2W', 1_209_600],
    ['PT1H30M', 5400],
    ['P1DT2H3M4S', 93_784],
    ['PT0H1S', 1],
    ['P0DT5M', 300],
  ])('%s lasts %i seconds', (text, seconds) => {
    expect(durationMs(text)).toBe(seconds * 1000);
  });

  it.each([
    ...['', 'P', 'PT', 'P1', 'PT5', 'T1H', '1D', 'P1DT', 'P1Y', 'P1M', 'P1W1D', 'P1WT1H', 'PT1M1H', 'PT1.5H', 'PT1,5H'],
    ...['-P1D', '+P1D', 'P-1D', 'P0D', 'PT0S', 'P0W', 'p1d', 'P1D ', ' P1D', 'P1D\n', 'P１D', 'PT1H1H', 'P1DT1D'],
    ...['P999999W', 'PT99999999H'],
  ])('cannot be %j', (text) => {
    expect(durationMs(text)).toBeNull();
    expect(isRight(Duration.decode(text))).toBe(false);
  });

  it('any duration from now ends before the year 10,000', () => {
    const longest = (durationMs('P999999DT9999999H999999999M999999999S') ?? 0) + (durationMs('P99999W') ?? 0);
    expect(new Date(Date.UTC(2026, 0) + longest).toISOString()).toMatch(/^\d{4}-/);
  });

  it('must be a string', () => {
    expect(isRight(Duration.decode(3600))).toBe(false);
    expect(Duration.decode('PT60M')).toEqual({ _tag: 'Right', right: 'PT60M' });
  });

  it('is the sum of its parts, at least one of which is not zero', () => {
    const part = fc.option(fc.integer({ min: 0, max: 99_999 }), { nil: undefined });
    fc.assert(
      fc.property(part, part, part, part, (days, hours, minutes, seconds) => {
        const time = [hours === undefined ? '' : `${hours}H`, minutes === undefined ? '' : `${minutes}M`].join('');
        const inDay = time + (seconds === undefined ? '' : `${seconds}S`);
        const text = `P${days === undefined ? '' : `${days}D`}${inDay === '' ? '' : `T${inDay}`}`;
        const total = (days ?? 0) * 86_400 + (hours ?? 0) * 3600 + (minutes ?? 0) * 60 + (seconds ?? 0);
        expect(durationMs(text)).toBe(total === 0 ? null : total * 1000);
      }),
    );
  });

  it('matches the pattern that the API declares', () => {
    const letters = fc.array(fc.constantFrom('P', 'T', '0', '1', '7', 'D', 'H', 'M', 'S', 'W'), { maxLength: 8 });
    const pattern = new RegExp(Duration.pattern);
    fc.assert(
      fc.property(letters, (characters) => {
        const text = characters.join('');
        expect(pattern.test(text)).toBe(durationMs(text) !== null);
      }),
      { numRuns: 2000 },
    );
  });
});
