import { assert, jsonValue, property } from 'fast-check';
import { left, right } from 'fp-ts/Either';
import { parseExactBody } from '../../../../adapters/http/kit/parse-exact-body';

const parsed = (values: string): unknown => parseExactBody(`{"n": 1e2, "of": ${values}}`, 'of');

test.each([
  ['1', 1n],
  ['-0', 0n],
  ['1.0', 1],
  ['1e2', 100],
  ['-0.0', -0],
  ['1E-400', 0],
  ['9007199254740993', 9_007_199_254_740_993n],
  ['9223372036854775807', 2n ** 63n - 1n],
  ['-9223372036854775808', -(2n ** 63n)],
  ['18446744073709551616.0', 2 ** 64],
  ['"1.0"', '1.0'],
  ['"\\"1.0\\\\"', '"1.0\\'],
  ['[1.0, [2, {"1.0": 3.0, "__proto__": 4}]]', [1, [2n, JSON.parse('{"1.0": 3, "__proto__": 5}')]]],
])('%s is read with its kind and value', (text, value) => {
  const shown = (one: unknown): string =>
    JSON.stringify(one, (_, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part));
  expect(shown(parsed(`{"a": ${text}}`))).toBe(
    shown(right({ n: 100, of: { a: value } })).replace('"__proto__":5', '"__proto__":"4n"'),
  );
});

test.each(['1e400', '-1e400', '9223372036854775808', '-9223372036854775809'])(
  'the name and the value of %s, which is out of range, are in the error',
  (text) => {
    const message = expect.stringContaining(text) as string;
    expect(parsed(`{"a": 1, "b c": [{"d": ${text}}]}`)).toEqual(left([{ field: 'of.b c', message }]));
  },
);

test('half a character is an error, and a whole one is not', () => {
  expect(parsed('{"a": "\\ud83d\\ude00", "b": ["\\ude00"]}')).toEqual(
    left([{ field: 'of.b', message: 'must not contain half a surrogate pair' }]),
  );
});

test('other fields, and bodies without the field, are as JSON.parse reads them', () => {
  assert(
    property(jsonValue(), (value) => {
      const text = JSON.stringify({ value, of: {} });
      expect(parseExactBody(text, 'of')).toEqual(right(JSON.parse(text)));
      expect(parseExactBody(JSON.stringify(value), 'of')).toEqual(right(JSON.parse(JSON.stringify(value))));
    }),
  );
  expect(() => parsed('{1.0: 2}')).toThrow(SyntaxError);
});

test('very deep and very long values do not exhaust the stack', () => {
  const deep = `{"a": ${'['.repeat(100_000)}1${']'.repeat(100_000)}}`;
  expect(parsed(deep)).toMatchObject({ _tag: 'Right' });
  expect(parsed(`{"a": "${'x\\\\'.repeat(1_000_000)}", "b": [${'1.0,'.repeat(200_000)}1]}`)).toMatchObject({
    _tag: 'Right',
  });
});
