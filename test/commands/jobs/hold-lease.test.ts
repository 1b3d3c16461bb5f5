import { LEASE_TIMING, type LeasePorts, runUnderLease } from '../../../commands/jobs/hold-lease';
import { type LeaseStore } from '../../../domain/ports/lease-store';
import { SimulatedTime, WakeUp } from '../../simulation/simulated-time';

const LASTS_SECONDS = LEASE_TIMING.lastsMs / 1000;
const ASK_EVERY_SECONDS = LEASE_TIMING.askEveryMs / 1000;
const RENEW_EVERY_SECONDS = LEASE_TIMING.renewEveryMs / 1000;

/** One lease in memory; the store can hang or fail on request. */
const createStore = (time: SimulatedTime) => {
  const state = { owner: null as string | null, epoch: 0, until: 0, mood: 'well' as 'well' | 'hangs' | 'fails' };
  const answer = async <A>(result: () => A): Promise<A> => {
    while (state.mood === 'hangs') await time.sleep(1);
    if (state.mood === 'fails') throw new Error('away');
    return result();
  };
  const store: LeaseStore = {
    acquire: (name, owner, seconds) =>
      answer(() => {
        if (state.owner !== null && state.until > time.seconds) return null;
        Object.assign(state, { owner, epoch: state.epoch + 1, until: time.seconds + seconds });
        return { name, owner, epoch: state.epoch };
      }),
    renew: ({ epoch }, seconds) =>
      answer(() => {
        if (epoch !== state.epoch || state.until <= time.seconds) return false;
        state.until = time.seconds + seconds;
        return true;
      }),
    release: ({ epoch }) =>
      answer(() => {
        if (epoch === state.epoch) state.until = 0;
      }),
  };
  return { state, store };
};

describe('a task under a lease', () => {
  let time: SimulatedTime;
  let lease: ReturnType<typeof createStore>;
  let trouble: string[];
  let log: string[];
  const ending = new Map<string, AbortController>();
  const running: Promise<void>[] = [];

  beforeEach(() => {
    time = new SimulatedTime();
    lease = createStore(time);
    trouble = [];
    log = [];
  });
  afterEach(async () => {
    lease.state.mood = 'well';
    for (const end of ending.values()) end.abort();
    await time.pass(1);
    await Promise.all(running.splice(0));
  });

  const start = (owner: string): void => {
    const end = new AbortController();
    ending.set(owner, end);
    const ports: LeasePorts = {
      leases: lease.store,
      monotonicMs: () => time.seconds * 1000,
      pause: async (ms, signal) => {
        if (signal.aborted) return;
        const aborted = new WakeUp();
        const ring = (): void => aborted.ring();
        signal.addEventListener('abort', ring);
        await time.sleep(ms / 1000, aborted);
        signal.removeEventListener('abort', ring);
      },
      onError: (what) => trouble.push(what),
    };
    const work = async (_lease: unknown, signal: AbortSignal): Promise<void> => {
      log.push(`${owner} begins`);
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      log.push(`${owner} ends`);
    };
    running.push(runUnderLease(ports, 'jobs', owner, work, end.signal));
  };

  it('runs in one of two replicas, and in the other as soon as the first one stops', async () => {
    start('a');
    start('b');
    await time.pass(10 * LASTS_SECONDS);
    expect(log).toEqual(['a begins']);
    ending.get('a')?.abort();
    await time.pass(ASK_EVERY_SECONDS);
    expect(log).toEqual(['a begins', 'a ends', 'b begins']);
  });

  it.each(['hangs', 'fails'] as const)('ends before its lease expires when the store %s', async (mood) => {
    start('a');
    await time.pass(10 * LASTS_SECONDS);
    lease.state.mood = mood;
    await time.pass(LASTS_SECONDS, () => log.includes('a ends'));
    expect(log).toEqual(['a begins', 'a ends']);
    expect(time.seconds).toBeLessThan(lease.state.until);
  });

  it('continues after a short outage of the store', async () => {
    start('a');
    await time.pass(1);
    lease.state.mood = 'fails';
    await time.pass(LASTS_SECONDS, () => trouble.length >= 2);
    lease.state.mood = 'well';
    await time.pass(10 * LASTS_SECONDS);
    expect(log).toEqual(['a begins']);
  });

  it('ends at once when another replica has the lease, and is resumed later', async () => {
    start('a');
    await time.pass(1);
    Object.assign(lease.state, { owner: 'another owner', epoch: lease.state.epoch + 1 });
    await time.pass(RENEW_EVERY_SECONDS);
    expect(log).toEqual(['a begins', 'a ends']);
    await time.pass(LASTS_SECONDS + ASK_EVERY_SECONDS);
    expect(log).toEqual(['a begins', 'a ends', 'a begins']);
  });
});
