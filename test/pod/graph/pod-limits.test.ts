import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PodLimits } from '../../../pod/graph/resources';

const folder = mkdtempSync(join(tmpdir(), 'memory-limit-'));
afterAll(() => rmSync(folder, { recursive: true }));

const memoryFile = join(folder, 'memory.max');
const limits = (): PodLimits => new PodLimits({ memoryBytes: 2 ** 30, memoryFile, cpuCores: 2 });

test.each([
  ['268435456\n', 2 ** 28],
  ['max\n', 2 ** 30],
  ['', 2 ** 30],
])('the memory limit in a file with %j is %d', (text, bytes) => {
  writeFileSync(memoryFile, text);
  expect(limits().bytes()).toBe(bytes);
});

test('the limits are those of the start without files', () => {
  const without = new PodLimits({ memoryBytes: 2 ** 29, memoryFile: null, cpuCores: 3 });
  expect([without.bytes(), without.cores()]).toEqual([2 ** 29, 3]);
});

test.each([
  ['400000 100000\n', '800000 100000\n', 4],
  ['200000 100000\n', '100000 50000\n', 2],
  ['400000 100000\n', '100000 100000\n', 0.5],
  ['max 100000\n', '800000 100000\n', 2],
  ['400000 100000\n', 'max 100000\n', 2],
])('two cores with a limit of %j become, with %j, %d', (atStart, now, cores) => {
  const cpuFile = join(folder, 'cpu.max');
  writeFileSync(cpuFile, atStart);
  const started = limits();
  expect(started.cores()).toBe(2);
  writeFileSync(cpuFile, now);
  expect(started.cores()).toBe(cores);
});

test('only processes killed by the kernel since the start count', () => {
  const events = (kills: number): void =>
    writeFileSync(join(folder, 'memory.events'), `oom ${kills + 3}\noom_kill ${kills}\noom_group_kill 9\n`);
  events(4);
  const watched = limits();
  expect(watched.hasKilled()).toBe(false);
  events(5);
  expect(watched.hasKilled()).toBe(true);
});
