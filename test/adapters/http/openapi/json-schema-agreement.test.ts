import fc from 'fast-check';
import { isRight } from 'fp-ts/Either';
import * as t from 'io-ts';
import { jsonSchemaOf } from '../../../../adapters/http/kit/json-schema-of';
import { PathId, QueryTimestamp } from '../../../../adapters/http/kit/request-codecs';
import { queryInteger } from '../../../../adapters/http/kit/request-codecs';
import { Duration, fields, integer, nullable, optional, text } from '../../../../domain/kernel/codecs';
import { compileSchema } from './compile-schema';

/** Text close to what our codecs check: blanks, the forbidden character, characters of two code units. */
const nearText = fc.string({ unit: fc.constantFrom('a', 'Z', '7', ' ', '\t', '\u00a0', '\u0000', '😀'), maxLength: 6 });
const nearInteger = fc.oneof(fc.integer({ min: -1, max: 9 }), fc.constantFrom(1.5, 2 ** 53 - 1, 2 ** 53, '7', null));
const nearDuration = fc.oneof(
  fc.stringMatching(/^P(\d{0,2}[WD])?(T(\d{0,2}H)?(\d{0,2}M)?(\d{0,2}S)?)?$/),
  fc.constantFrom('P0D', 'PT0S', 'P1W2D', 'P1Y', 'P1M', 'PT', 'p1d', 'PT1.5S', '-P1D', 'P1234567D', 'P00W', 'P1D\n'),
);
const near = <T extends Record<string, fc.Arbitrary<unknown>>>(values: T) =>
  fc.oneof(fc.record(values, { requiredKeys: [] }), fc.jsonValue({ maxDepth: 1 }));

const Step = t.intersection([
  t.strict({ name: t.string, status: t.keyof({ pending: null, completed: null }) }),
  t.partial({ rows: t.union([t.number, t.null]) }),
]);
const nearStep = near({
  name: fc.oneof(fc.string(), fc.constant(1)),
  status: fc.constantFrom('pending', 'completed', 'toString', ''),
  rows: fc.constantFrom(1, null, 'x'),
  extra: fc.jsonValue(),
});

const CASES: Readonly<Record<string, { readonly codec: t.Mixed; readonly values: fc.Arbitrary<unknown> }>> = {
  'text within bounds': { codec: text({ min: 2, max: 4 }), values: nearText },
  'text that is not blank': { codec: text({ min: 0, max: 5, notBlank: true }), values: nearText },
  'text with a pattern': {
    codec: text({ min: 1, max: 3, pattern: { regexp: /^[a-z]/, words: '' }, notBlank: true }),
    values: nearText,
  },
  'a whole number': { codec: integer(1), values: nearInteger },
  'a whole number within bounds': { codec: integer(2, 5), values: nearInteger },
  'a duration': { codec: Duration, values: nearDuration },
  'a value or null': { codec: nullable(integer(1, 3)), values: nearInteger },
  fields: {
    codec: fields({ name: text({ min: 1, max: 3 }), ttl: optional(nullable(Duration)), note: t.unknown }),
    values: near({ name: nearText, ttl: fc.oneof(nearDuration, fc.constant(null)), note: fc.jsonValue() }),
  },
  'objects in parts': { codec: Step, values: nearStep },
  'an array of objects': { codec: t.array(Step), values: fc.array(nearStep, { maxLength: 2 }) },
  'a record': {
    codec: t.record(t.string, integer(0, 3)),
    values: fc.oneof(fc.dictionary(fc.string(), nearInteger, { maxKeys: 2 }), fc.jsonValue({ maxDepth: 1 })),
  },
  'a record of known keys': {
    codec: t.record(t.keyof({ node: null, edge: null }), integer(0, 3)),
    values: near({ node: nearInteger, edge: nearInteger, extra: nearInteger }),
  },
  'one of several objects': {
    codec: t.union([t.strict({ kind: t.literal('scalar'), value: t.number }), t.strict({ kind: t.literal('path') })]),
    values: near({ kind: fc.constantFrom('scalar', 'path', 'other'), value: fc.constantFrom(1, '1') }),
  },
};

describe('a codec and its JSON Schema accept the same values', () => {
  test.each(Object.entries(CASES))('%s', (_, { codec, values }) => {
    const validates = compileSchema(jsonSchemaOf(codec, 'here'));
    const seen = new Set<boolean>();
    fc.assert(
      fc.property(values, (value) => {
        const decodes = isRight(codec.decode(value));
        seen.add(decodes);
        expect({ value, accepted: validates(value) }).toEqual({ value, accepted: decodes });
      }),
      { numRuns: 300 },
    );
    expect(seen).toEqual(new Set([true, false]));
  });

  test.each([
    ['an id in a path', PathId],
    ['a whole number in a query', queryInteger(0, 100)],
  ])('%s, as text', (_, codec) => {
    const validates = compileSchema(jsonSchemaOf(codec, 'here'));
    fc.assert(
      fc.property(fc.oneof(fc.integer({ min: -5, max: 120 }), fc.maxSafeInteger()), (value) => {
        expect(isRight(codec.decode(String(value)))).toBe(validates(value));
      }),
    );
  });

  test('a timestamp in a query string', () => {
    const validates = compileSchema(jsonSchemaOf(QueryTimestamp, 'here'));
    fc.assert(
      fc.property(fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true }), (date) => {
        const text = date.toISOString();
        expect(validates(text)).toBe(true);
        expect(QueryTimestamp.decode(text)).toMatchObject({ right: date });
      }),
    );
    expect(['2026-01-31', '2026-01-31T12:00:00', 'now', ''].filter(validates)).toEqual([]);
  });
});
