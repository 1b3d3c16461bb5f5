import { right } from 'fp-ts/Either';
import { type Pool } from 'pg';
import { watchDisk } from '../../../adapters/filesystem/watch-disk';
import { componentPings, watchReadiness } from '../../../adapters/metrics/health';
import { type WrittenStore } from '../../../adapters/system/write-watch';
import { START } from '../../../domain/kernel/event';
import { type ObjectStoreError } from '../../../domain/ports/object-store';
import { createCatchUp } from '../../../projections/catch-up';

type CheckedParts = Parameters<typeof componentPings>[0];

let failures: Partial<Record<WrittenStore, string>>;
let free: number;
beforeEach(() => {
  failures = {};
  free = 2 ** 30;
});

/** The parts of a system with this data folder, whose object store cannot be written. */
const partsIn = (folder: string, putError: ObjectStoreError | null = null): CheckedParts => {
  const writes = {
    failed: (store: WrittenStore, reason: string) => void (failures[store] = reason),
    failures: () => failures,
  };
  return {
    pool: { query: () => Promise.resolve({ rows: [] }) } as unknown as Pool,
    eventLog: { store: { head: () => Promise.resolve(right(START)) }, name: 'log', kind: 'postgres' },
    catchUp: createCatchUp(),
    waitingReaders: new Map(),
    writes,
    disk: watchDisk([folder], writes, () => Promise.resolve(free)),
    leases: { trouble: () => null },
    objects: { putText: () => Promise.resolve({ _tag: 'Left', left: putError }) },
    podRuntime: { managesPods: false },
    replica: 'a',
  } as unknown as CheckedParts;
};

/** The stores in trouble at `/ready`, and at `/cluster/health`. */
const troubles = async (parts: CheckedParts) => {
  const { database, disk } = componentPings(parts);
  const problems = { database: await database(), disk: await disk() };
  const unhealthy = Object.entries(problems).filter(([, problem]) => problem !== null);
  return { ready: await watchReadiness(parts)(), health: Object.fromEntries(unhealthy) };
};

describe('a full disk', () => {
  it('is the same to /ready and /cluster/health, before and after a failed write', async () => {
    const parts = partsIn('/srv/rowgraph');
    expect(await troubles(parts)).toEqual({ ready: {}, health: {} });
    free = 4096;
    const isFull = { disk: '/srv/rowgraph has 4096 bytes free; expected 262144 or more' };
    expect(await troubles(parts)).toEqual({ ready: isFull, health: isFull });
    free = 2 ** 30;
    failures = { database: 'SQLSTATE 53100 (the disk is full)', disk: 'ENOSPC: no space left on device' };
    const haveFailed = {
      database: 'the last write failed: SQLSTATE 53100 (the disk is full)',
      disk: 'the last write failed: ENOSPC: no space left on device',
    };
    expect(await troubles(parts)).toEqual({ ready: haveFailed, health: haveFailed });
  });

  it('is reported by /ready when the check of the object store finds a quota that is used up', async () => {
    const reason = 'EDQUOT: disk quota exceeded, write';
    const parts = partsIn('/dev/full', { kind: 'unavailable', key: '.health/a/probe', reason });
    expect(await componentPings(parts).objectStore()).toBe(reason);
    const { ready, health } = await troubles(parts);
    expect(Object.keys(ready)).toEqual(['disk']);
    expect(health).toEqual(ready);
  });
});
