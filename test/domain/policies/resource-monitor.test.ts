import { GIB } from '../../../domain/instance';
import { memoryForUse, type MemoryUse } from '../../../domain/policies';
import { NOON } from '../../support/given-when-then';

const minutesAgo = (minutes: number): Date => new Date(NOON.getTime() - minutes * 60_000);
const pressure = (minutes: number) => ({ at: minutesAgo(minutes), reason: 'memory_pressure' });
const forUse = (share: number, changes: Partial<MemoryUse> = {}): number | null => {
  const limitBytes = changes.limitBytes ?? 4 * GIB;
  const use = { limitBytes, usedBytes: share * limitBytes, wasHigh: false, upgrades: [], ...changes };
  return memoryForUse(use, NOON);
};

describe('the required memory of an instance', () => {
  it('is unchanged while less than four fifths are in use', () => {
    expect(forUse(0.8, { wasHigh: true })).toBeNull();
  });

  it('doubles when more is in use twice in a row', () => {
    expect(forUse(0.81)).toBeNull();
    expect(forUse(0.81, { wasHigh: true })).toBe(8 * GIB);
  });

  it('doubles at once above nine tenths', () => {
    expect(forUse(0.9)).toBeNull();
    expect(forUse(0.91)).toBe(8 * GIB);
  });

  it('is at most 32 GiB', () => {
    expect(forUse(0.95, { limitBytes: 20 * GIB })).toBe(32 * GIB);
    expect(forUse(0.95, { limitBytes: 32 * GIB })).toBeNull();
  });

  it('changes only five minutes after the last change by any user', () => {
    expect(forUse(0.95, { upgrades: [{ at: minutesAgo(4.9), reason: 'user_request' }] })).toBeNull();
    expect(forUse(0.95, { upgrades: [{ at: minutesAgo(5), reason: 'user_request' }] })).toBe(8 * GIB);
  });

  it('is increased at most three times by the system', () => {
    const user = { at: minutesAgo(60), reason: 'user_request' };
    expect(forUse(0.95, { upgrades: [user, user, pressure(30), pressure(20)] })).toBe(8 * GIB);
    expect(forUse(0.95, { upgrades: [pressure(40), pressure(30), pressure(20)] })).toBeNull();
  });
});
