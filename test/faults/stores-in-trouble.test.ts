import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readProcessTable, treeOf } from '../../adapters/system/process-table';
import { createInstance, createMapping, untilRunning, untilSettled } from '../support/instances';
import { type RunningSystem, startRunningSystem, TIMEOUT_MS } from '../support/running-system';
import { fillWarehouse, townMapping } from '../support/sample-mappings';
import { isEventStoreDbWanted } from '../support/system-event-store';
import { waitFor } from '../support/wait-for';
import { whileFrozen } from '../support/while-frozen';

jest.setTimeout(4 * TIMEOUT_MS);

/** A call to an unresponsive store fails after two seconds; ten times that, because other programs run. */
const READY_MS = 20_000;

interface Readiness {
  readonly status: number;
  readonly trouble: Readonly<Record<string, string>>;
  readonly milliseconds: number;
}

const askReady = async (system: RunningSystem): Promise<Readiness> => {
  const askedAt = performance.now();
  const answer = await fetch(`${system.url}/ready`);
  const { trouble } = (await answer.json()) as Pick<Readiness, 'trouble'>;
  return { status: answer.status, trouble, milliseconds: performance.now() - askedAt };
};
const isReady = async (system: RunningSystem): Promise<boolean> => (await askReady(system)).status === 200;
const metrics = async (system: RunningSystem): Promise<readonly string[]> =>
  (await (await fetch(`http://127.0.0.1:${system.environment['ROWGRAPH_INTERNAL_PORT']}/metrics`)).text()).split('\n');

describe('a frozen PostgreSQL', () => {
  let system: RunningSystem;
  beforeAll(async () => {
    system = await startRunningSystem(undefined, { ROWGRAPH_DATABASE_CONNECT_TIMEOUT: '5s' });
  });
  afterAll(() => system.close());

  it('makes /ready 503 soon, even while requests wait for it, and is named until it answers again', async () => {
    const [postmaster] = system.processes('postgres');
    const all = treeOf(readProcessTable(), postmaster?.pid ?? 0).map(({ pid }) => pid);
    expect(all.length).toBeGreaterThan(5);
    const waiting = await whileFrozen(all, async () => {
      const seen = await askReady(system);
      expect(seen).toMatchObject({ status: 503, trouble: { database: 'no answer within 2000 ms' } });
      expect(seen.milliseconds).toBeLessThan(READY_MS);

      const requests = Array.from({ length: 50 }, () => system.as('ada').send('GET', '/api/mappings'));
      const polls = await Promise.all(Array.from({ length: 10 }, () => askReady(system)));
      for (const { status, trouble, milliseconds } of polls) {
        expect({ status, stores: Object.keys(trouble) }).toEqual({ status: 503, stores: ['database'] });
        expect(milliseconds).toBeLessThan(READY_MS);
      }
      expect((await fetch(`${system.url}/health`)).status).toBe(200);
      expect(await metrics(system)).toContain('rowgraph_up 0');
      return requests;
    });
    await waitFor('the system is ready again', () => isReady(system), TIMEOUT_MS);
    for (const { status } of await Promise.all(waiting)) expect([200, 503]).toContain(status);
    expect((await system.as('ada').send('GET', '/api/mappings')).status).toBe(200);
  });
});

const mount = (folder: string, mib: number): void =>
  void execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mib}m,mode=755`, 'tmpfs', folder], { stdio: 'pipe' });
const unmount = (folder: string): void => void execFileSync('umount', [folder]);

/** Mounts a separate disk at a folder, with the content of the folder. */
const moveToDisk = (folder: string, mib: number): void => {
  const aside = `${folder}.aside`;
  execFileSync('cp', ['-a', folder, aside]);
  mount(folder, mib);
  execFileSync('cp', ['-a', `${aside}/.`, folder]);
  rmSync(aside, { recursive: true });
};

const fill = (folder: string): void => {
  for (const [bytes, name] of [
    [1024 ** 2, 'large'],
    [4096, 'small'],
  ] as const) {
    let error: unknown = null;
    for (let file = 0; error === null; file++) {
      try {
        writeFileSync(join(folder, `filler-${name}-${file}`), Buffer.alloc(bytes));
      } catch (caught) {
        error = caught;
      }
    }
    expect(error).toMatchObject({ code: 'ENOSPC' });
  }
};
const makeRoom = (folder: string): void => void execFileSync('sh', ['-c', 'rm -f "$0"/filler-*', folder]);

/** A test with a full disk needs a separate disk, which only root can mount. */
const describeWithDisk = ((): jest.Describe => {
  const probe = mkdtempSync(join(tmpdir(), 'rowgraph-mount-'));
  try {
    mount(probe, 1);
    unmount(probe);
    return describe;
  } catch {
    process.stderr.write('Left out: a full disk, because this user may not mount one.\n');
    return describe.skip;
  } finally {
    rmdirSync(probe);
  }
})();

describeWithDisk('a full disk', () => {
  let system: RunningSystem | undefined;
  let disk = '';
  afterEach(async () => {
    await system?.stop();
    unmount(disk);
    await system?.close();
  });
  const start = async (folderOf: (system: string) => string, mib: number): Promise<RunningSystem> => {
    system = await startRunningSystem(async (warehouse) => {
      await fillWarehouse(warehouse);
      disk = folderOf(dirname(warehouse));
      mkdirSync(disk, { recursive: true });
      moveToDisk(disk, mib);
    });
    return system;
  };
  const backAgain = async (running: RunningSystem): Promise<void> => {
    makeRoom(disk);
    await waitFor('the system is ready again', () => isReady(running));
    expect(await metrics(running)).toEqual(
      expect.arrayContaining([
        'rowgraph_last_write_failed{store="database"} 0',
        'rowgraph_last_write_failed{store="disk"} 0',
      ]),
    );
  };

  it('the database makes /ready 503 from the failed write until one is possible, without any further request', async () => {
    const running = await start((folder) => folder, 400);
    const ada = running.as('ada');
    const write = async (): Promise<number> => (await ada.send('POST', '/api/mappings', { body: townMapping })).status;
    expect(await write()).toBe(201);
    fill(disk);
    const answers = new Set<number>();
    // Events that EventStoreDB has accepted are not lost: only the read models lag behind.
    const isLogElsewhere = isEventStoreDbWanted();
    await waitFor(
      'a write fails',
      async () => answers.add(await write()).has(503) || (isLogElsewhere && !(await isReady(running))),
    );
    expect([...answers].filter((status) => status !== 201)).toEqual(isLogElsewhere ? [] : [503]);

    const full = { status: 503, trouble: { database: 'the last write failed: SQLSTATE 53100 (the disk is full)' } };
    const [seen, lines] = [await askReady(running), await metrics(running)];
    expect(seen).toMatchObject(full);
    expect(seen.milliseconds).toBeLessThan(READY_MS);
    expect(lines).toContain('rowgraph_last_write_failed{store="database"} 1');
    expect((await fetch(`${running.url}/health`)).status).toBe(200);
    expect((await ada.send('GET', '/api/mappings')).status).toBe(200);
    // Two attempts fail meanwhile.
    const since = performance.now();
    await waitFor('five seconds have passed', async () => {
      expect(await askReady(running)).toMatchObject(full);
      return performance.now() - since > 5_000;
    });
    expect(running.output().split('a write to the database failed')).toHaveLength(2);

    await backAgain(running);
    expect(await write()).toBe(201);
    expect(running.output()).toContain('writing to the database succeeds again');
    const mapping = await createMapping(ada, townMapping);
    await untilRunning(ada, await createInstance(ada, mapping));
  });

  it('the exports make /ready 503 from the failed export until a file can be written', async () => {
    const running = await start((folder) => join(folder, 'objects'), 4);
    const ada = running.as('ada');
    const mapping = await createMapping(ada, townMapping);
    fill(disk);
    const failed = await untilSettled(ada, await createInstance(ada, mapping));
    expect(failed).toMatchObject({
      ...{ status: 'failed', error_code: 'STARTUP_FAILED' },
      error_message: expect.stringContaining('ENOSPC') as string,
    });
    await waitFor('the disk is reported', async () => (await askReady(running)).status === 503);
    expect(Object.keys((await askReady(running)).trouble)).toEqual(['disk']);
    expect(await metrics(running)).toContain('rowgraph_last_write_failed{store="disk"} 1');

    await backAgain(running);
    await untilRunning(ada, await createInstance(ada, mapping));
  });
});
