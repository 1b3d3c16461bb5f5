import { array, assert, bigInt, jsonValue, property, string, tuple } from 'fast-check';
import { parseExactJson } from '../../../adapters/client/graph-answer';

test('parses integers beyond 2^53 exactly, at any depth', () => {
  assert(
    property(array(tuple(string(), bigInt(-(2n ** 63n), 2n ** 63n - 1n))), (pairs) => {
      const text = `[${pairs.map(([key, value]) => `{${JSON.stringify(key)}: ${value}}`).join(', ')}]`;
      const safe = (value: bigint) => (Number.isSafeInteger(Number(value)) ? Number(value) : value);
      expect(parseExactJson(text)).toEqual(pairs.map(([key, value]) => Object.fromEntries([[key, safe(value)]])));
    }),
  );
});

const rounded = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? Number(value) : value);

test('parses everything else like JSON.parse, including digits in strings', () => {
  assert(
    property(jsonValue(), (value) => {
      const text = JSON.stringify(value);
      expect(JSON.stringify(parseExactJson(text), rounded)).toBe(JSON.stringify(JSON.parse(text)));
    }),
  );
  expect(parseExactJson('["9007199254740993", "\\"9007199254740993", 1e300, 12345678901234567.5]')).toEqual([
    '9007199254740993',
    '"9007199254740993',
    1e300,
    12345678901234567.5,
  ]);
  expect(parseExactJson('[1')).toBeUndefined();
});
