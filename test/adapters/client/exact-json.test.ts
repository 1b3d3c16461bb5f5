import { array, assert, bigInt, jsonValue, property, string, tuple } from 'fast-check';
import { exactJson, jsonText, parseExactJson } from '../../../adapters/client/graph-answer';

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

test('writes bigints and JSON texts unchanged, at any depth', () => {
  const value = { a: [2n ** 63n, jsonText('{"b": 1.0}')], c: { d: jsonText('1e2'), e: 'x' }, f: 1.5 };
  expect(exactJson(value)).toBe('{"a":[9223372036854775808,{"b": 1.0}],"c":{"d":1e2,"e":"x"},"f":1.5}');
});
