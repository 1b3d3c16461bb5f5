import { setTimeout as sleep } from 'node:timers/promises';
import { doWhileLeaseHeld, type LeasePorts } from '../../../commands/jobs/hold-lease';
import { type LeaseStore } from '../../../domain/ports/lease-store';
import { waitFor } from '../../support/wait-for';

const TIMING = { lastsMs: 600, renewEveryMs: 20, askEveryMs: 20, marginMs: 50 };

/** One lease in memory; the store can be made to hang or to fail. */
const createStore = () => {
  const state = { owner: null as string | null, epoch: 0, until: 0, mood: 'well' as 'well' | 'hangs' | 'fails' };
  const answer = async <A>(result: () => A): Promise<A> => {
    while (state.mood === 'hangs') await sleep(5);
    if (state.mood === 'fails') throw new Error('away');
    return result();
  };
  const store: LeaseStore = {
    acquire: (name, owner, seconds) =>
      answer(() => {
        if (state.owner !== null && state.until > performance.now()) return null;
        Object.assign(state, { owner, epoch: state.epoch + 1, until: performance.now() + seconds * 1000 });
        return { name, owner, epoch: state.epoch };
      }),
    renew: ({ epoch }, seconds) =>
      answer(() => {
        if (epoch !== state.epoch || state.until <= performance.now()) return false;
        state.until = performance.now() + seconds * 1000;
        return true;
      }),
    release: ({ epoch }) =>
      answer(() => {
        if (epoch === state.epoch) state.until = 0;
      }),
    holder: () => Promise.reject(new Error('nobody asks')),
  };
  return { state, store };
};

describe('a work under a lease', () => {
  let lease: ReturnType<typeof createStore>;
  let trouble: string[];
  let log: string[];
  const ending = new Map<string, AbortController>();
  const running: Promise<void>[] = [];

  beforeEach(() => {
    lease = createStore();
    trouble = [];
    log = [];
  });
  afterEach(async () => {
    lease.state.mood = 'well';
    for (const end of ending.values()) end.abort();
    await Promise.all(running.splice(0));
  });

  const start = (owner: string): void => {
    const end = new AbortController();
    ending.set(owner, end);
    const ports: LeasePorts = {
      leases: lease.store,
      monotonicMs: () => performance.now(),
      pause: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => undefined),
      onTrouble: (what) => trouble.push(what),
    };
    const work = async (_lease: unknown, signal: AbortSignal): Promise<void> => {
      log.push(`${owner} begins`);
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      log.push(`${owner} ends`);
    };
    running.push(doWhileLeaseHeld(ports, 'jobs', owner, work, end.signal, TIMING));
  };
  const until = (line: string): Promise<void> => waitFor(line, () => log.includes(line));

  it('is done by one of two, and by the other as soon as the first one stops', async () => {
    start('a');
    await until('a begins');
    start('b');
    await sleep(TIMING.lastsMs * 1.5);
    expect(log).toEqual(['a begins']);
    ending.get('a')?.abort();
    await until('b begins');
    expect(log).toEqual(['a begins', 'a ends', 'b begins']);
  });

  it.each(['hangs', 'fails'] as const)('ends before its lease does when the store %s', async (mood) => {
    start('a');
    await until('a begins');
    const { until: leaseEnd } = lease.state;
    lease.state.mood = mood;
    await until('a ends');
    expect(performance.now()).toBeLessThan(Math.max(leaseEnd, lease.state.until));
  });

  it('goes on when the store is away for a moment only', async () => {
    start('a');
    await until('a begins');
    lease.state.mood = 'fails';
    await waitFor('two renewals have failed', () => trouble.length >= 2);
    lease.state.mood = 'well';
    await sleep(TIMING.lastsMs);
    expect(log).toEqual(['a begins']);
  });

  it('ends at once when somebody else has the lease, and is taken up again later', async () => {
    start('a');
    await until('a begins');
    Object.assign(lease.state, { owner: 'thief', epoch: lease.state.epoch + 1 });
    await until('a ends');
    expect(log).toEqual(['a begins', 'a ends']);
    await waitFor('a is back', () => log.length === 3);
  });
});
