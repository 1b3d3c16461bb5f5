import { instanceExpiry, type InstanceLife, resourceExpiry } from '../../../domain/policies';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const instance = (changes: Partial<InstanceLife> = {}): InstanceLife => ({
  status: 'running',
  ttl: 'PT24H',
  inactivityTimeout: 'PT4H',
  createdAt: 0,
  since: 10 * MINUTE,
  ...changes,
});

describe('an instance', () => {
  it.each(['waiting_for_snapshot', 'starting', 'running', 'failed'] as const)(
    'an instance that is %s ends by its ttl',
    (status) => {
      const life = instance({ status, since: 23 * HOUR });
      expect(instanceExpiry(life, 24 * HOUR - 1, 24 * HOUR - 1)).toBeNull();
      expect(instanceExpiry(life, 24 * HOUR, 24 * HOUR)).toEqual({ cause: 'ttl', reason: 'its ttl of PT24H is over' });
      expect(instanceExpiry({ ...life, ttl: null }, 24 * HOUR, 24 * HOUR)).toBeNull();
    },
  );

  it('ends when it was not used for its inactivity timeout', () => {
    expect(instanceExpiry(instance(), 5 * HOUR, 9 * HOUR - 1)).toBeNull();
    expect(instanceExpiry(instance(), 5 * HOUR, 9 * HOUR)).toEqual({
      cause: 'unused',
      reason: 'it was not used for PT4H',
    });
  });

  it('an instance that was never queried is unused since it became running', () => {
    for (const lastActivityAt of [null, 0]) {
      expect(instanceExpiry(instance(), lastActivityAt, 4 * HOUR + 10 * MINUTE - 1)).toBeNull();
      expect(instanceExpiry(instance(), lastActivityAt, 4 * HOUR + 10 * MINUTE)?.cause).toBe('unused');
    }
  });

  it('a waiting or starting instance is not unused', () => {
    for (const status of ['waiting_for_snapshot', 'starting'] as const) {
      expect(instanceExpiry(instance({ status }), null, 23 * HOUR)).toBeNull();
    }
  });

  it('an instance that was queried in the last five seconds is in use, however short its timeout', () => {
    const life = instance({ inactivityTimeout: 'PT1S' });
    expect(instanceExpiry(life, HOUR, HOUR + 4_999)).toBeNull();
    expect(instanceExpiry(life, HOUR, HOUR + 5_000)?.cause).toBe('unused');
  });

  it('a failed instance is deleted after a day', () => {
    const life = instance({ status: 'failed', ttl: 'P7D', since: HOUR });
    expect(instanceExpiry(life, null, 25 * HOUR - 1)).toBeNull();
    expect(instanceExpiry(life, null, 25 * HOUR)?.cause).toBe('failed');
  });

  it('a stopping instance is skipped', () => {
    for (const status of ['stopping', 'deleted'] as const) {
      expect(instanceExpiry(instance({ status }), null, 1000 * HOUR)).toBeNull();
    }
  });
});

describe('a snapshot or a mapping', () => {
  const life = { ttl: 'P7D', inactivityTimeout: 'P3D', createdAt: 0, lastUsedAt: HOUR };

  it('ends by its ttl or when it was not used', () => {
    expect(resourceExpiry(life, 73 * HOUR - 1)).toBeNull();
    expect(resourceExpiry(life, 73 * HOUR)).toEqual({ cause: 'unused', reason: 'it was not used for P3D' });
    expect(resourceExpiry({ ...life, lastUsedAt: 168 * HOUR - 1 }, 168 * HOUR)?.cause).toBe('ttl');
    expect(resourceExpiry({ ...life, ttl: null, lastUsedAt: 168 * HOUR - 1 }, 168 * HOUR)).toBeNull();
  });
});
