import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { PATIENCE_MS, type RunningSystem, startRunningSystem } from '../support/running-system';

jest.setTimeout(2 * PATIENCE_MS);

const REQUESTS = 20_000;
const MB = 2 ** 20;

let system: RunningSystem;
beforeAll(async () => {
  system = await startRunningSystem();
});
afterAll(() => system.close());

/** The most memory the control plane has had so far. */
const peakMemory = (): number => {
  const [program] = system.processes('control plane');
  const status = readFileSync(`/proc/${program?.pid ?? 0}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
};

it('20,000 requests on one connection that reads nothing hold nobody up for long, and take little memory', async () => {
  const ada = system.as('ada');
  await ada.call('listMappings');
  const before = peakMemory();
  const flood = connect(Number(new URL(system.url).port), '127.0.0.1');
  flood.write('GET /api/mappings HTTP/1.1\r\nHost: rowgraph\r\nX-Username: bob\r\n\r\n'.repeat(REQUESTS));
  await once(flood, 'readable');

  let slowest = 0;
  for (let asked = 0; asked < 100; asked++) {
    const askedAt = performance.now();
    await ada.call('listMappings');
    slowest = Math.max(slowest, performance.now() - askedAt);
  }
  flood.destroy();
  // One after the other, all 20,000 take longer than 10 s.
  expect(slowest).toBeLessThan(3_000);
  expect(peakMemory() - before).toBeLessThan(150 * MB);
});
