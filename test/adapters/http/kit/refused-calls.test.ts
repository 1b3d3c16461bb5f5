import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type Request } from 'express';
import { networkOf, refusedCalls } from '../../../../adapters/http/kit/refused-calls';
import { domainError } from '../../../../domain/kernel/errors';

const REFUSAL = domainError('UNAUTHORIZED', 'Nobody.', { reason: 'x' });

/** Counts calls of a test with an address and a key, at a time that the test sets. */
const counter = (perMinute: number, note: (status: number) => void = () => undefined) => {
  const clock = { now: 1_000 };
  let call: { address: string; key: string | null } = { address: '', key: null };
  const answer = refusedCalls({
    perMinute,
    addressOf: () => call.address,
    keyOf: () => call.key,
    note,
    now: () => clock.now,
  });
  const request = {} as unknown as Request;
  const refuse = (address: string, key: string | null = null, refusal: Parameters<typeof answer>[1] = REFUSAL) => {
    call = { address, key };
    return answer(request, refusal);
  };
  return { clock, refuse };
};

const throttled = (seconds: number) => ({ code: 'RATE_LIMIT_EXCEEDED', details: { retry_after_seconds: seconds } });

test('an address is answered 429 after too many failed logins, until a minute after the first', () => {
  const noted: number[] = [];
  const { clock, refuse } = counter(3, (status) => noted.push(status));
  for (const now of [1_000, 2_000, 3_000]) {
    clock.now = now;
    expect(refuse('192.0.2.1')).toBe(REFUSAL);
  }
  clock.now = 11_500;
  expect(refuse('192.0.2.1')).toMatchObject(throttled(50));
  expect(refuse('192.0.2.2')).toBe(REFUSAL);
  clock.now = 60_999;
  expect(refuse('192.0.2.1')).toMatchObject(throttled(1));
  clock.now = 61_001;
  expect(refuse('192.0.2.1')).toBe(REFUSAL);
  expect(noted).toEqual([401, 401, 401, 429, 401, 429, 401]);
});

test('a key is answered 429 after too many failed logins from any addresses', () => {
  const { refuse } = counter(2);
  expect(refuse('192.0.2.1', 'key')).toBe(REFUSAL);
  expect(refuse('192.0.2.2', 'key')).toBe(REFUSAL);
  expect(refuse('192.0.2.3', 'key')).toMatchObject(throttled(60));
  expect(refuse('192.0.2.4', 'other')).toBe(REFUSAL);
});

test('other rejections do not count', () => {
  const noted: number[] = [];
  const { refuse } = counter(1, (status) => noted.push(status));
  const missing = domainError('RESOURCE_NOT_FOUND', 'Nothing.', { url_slug: 'a' });
  expect(refuse('192.0.2.1', 'key', missing)).toBe(missing);
  expect(refuse('192.0.2.1', 'key', missing)).toBe(missing);
  expect(noted).toEqual([]);
});

test('a million addresses and any number of long keys need as much memory as ten thousand', () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const { refuse } = counter(20);
  const heapAfter = (from: number, to: number, keyOf: (index: number) => string | null): number => {
    for (let index = from; index < to; index += 1) {
      refuse(`10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`, keyOf(index));
    }
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  const long = (index: number): string => `${index} ${'k'.repeat(5_000)}`;
  const few = heapAfter(0, 60_000, long);
  const manyKeys = heapAfter(60_000, 160_000, long);
  const manyAddresses = heapAfter(160_000, 1_160_000, () => null);
  const MIB = 1024 * 1024;
  expect({ few, manyKeys: manyKeys - few < 8 * MIB, manyAddresses: manyAddresses - few < 8 * MIB }).toEqual({
    few,
    manyKeys: true,
    manyAddresses: true,
  });
});

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['192.0.2.1:5555', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::6', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2::7]:443', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8::/64'],
  ['1::2:3:4:5:6', '1:0:0:2::/64'],
  ['::1', '::/64'],
  ['fe80::1%eth0', 'fe80::/64'],
  ['unknown', 'unknown'],
  ['', ''],
])('%s counts as %s', (address, network) => expect(networkOf(address)).toBe(network));
