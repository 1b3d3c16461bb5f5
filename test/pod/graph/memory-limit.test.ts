import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemoryLimit } from '../../../pod/graph/resources';

const folder = mkdtempSync(join(tmpdir(), 'memory-limit-'));
afterAll(() => rmSync(folder, { recursive: true }));

const memoryFile = join(folder, 'memory.max');
const limit = (): MemoryLimit => new MemoryLimit({ memoryBytes: 2 ** 30, memoryFile });

test.each([
  ['268435456\n', 2 ** 28],
  ['max\n', 2 ** 30],
  ['', 2 ** 30],
])('the limit in a file with %j is %d', (text, bytes) => {
  writeFileSync(memoryFile, text);
  expect(limit().bytes()).toBe(bytes);
});

test('the limit is that of the start without a file', () => {
  expect(new MemoryLimit({ memoryBytes: 2 ** 29, memoryFile: null }).bytes()).toBe(2 ** 29);
});

test('only processes killed by the kernel since the start count', () => {
  const events = (kills: number): void =>
    writeFileSync(join(folder, 'memory.events'), `oom ${kills + 3}\noom_kill ${kills}\noom_group_kill 9\n`);
  events(4);
  const watched = limit();
  expect(watched.hasKilled()).toBe(false);
  events(5);
  expect(watched.hasKilled()).toBe(true);
});
