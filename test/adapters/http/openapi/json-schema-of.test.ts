import * as t from 'io-ts';
import { described, type JsonSchema, jsonSchemaOf } from '../../../../adapters/http/kit/json-schema-of';
import { PathId, queryInteger } from '../../../../adapters/http/kit/request-codecs';
import { Duration, fields, integer, nullable, optional, ResourceId, text } from '../../../../domain/kernel/codecs';

const string = { type: 'string' };
const number = { type: 'number' };
const object = (properties: JsonSchema, required: readonly string[]) => ({ type: 'object', properties, required });

describe('the JSON Schema of a codec', () => {
  test.each<[string, t.Mixed, JsonSchema]>([
    ['a string', t.string, string],
    ['a number', t.number, number],
    ['true or false', t.boolean, { type: 'boolean' }],
    ['null', t.null, { type: 'null' }],
    ['anything', t.unknown, { description: 'Any JSON value' }],
    ['a literal', t.literal(7), { const: 7 }],
    ['one of several words', t.keyof({ a: null, b: null }), { type: 'string', enum: ['a', 'b'] }],
    ['one of several literals', t.union([t.literal('a'), t.literal(2)]), { enum: ['a', 2] }],
    ['one of several shapes', t.union([t.string, t.null]), { anyOf: [string, { type: 'null' }] }],
    [
      'all of several shapes',
      t.intersection([t.type({ a: t.string }), t.partial({ b: t.number })]),
      { allOf: [object({ a: string }, ['a']), object({ b: number }, [])] },
    ],
    ['any array', t.UnknownArray, { type: 'array' }],
    ['an array', t.array(t.string), { type: 'array', items: string }],
    ['a readonly array', t.readonlyArray(t.string), { type: 'array', items: string }],
    ['any object', t.UnknownRecord, { type: 'object' }],
    ['a record', t.record(t.string, t.number), { type: 'object', propertyNames: string, additionalProperties: number }],
    ['a record of known keys', t.record(t.keyof({ a: null }), t.number), object({ a: number }, ['a'])],
    ['an object', t.type({ a: t.string }), object({ a: string }, ['a'])],
    ['a strict object', t.strict({ a: t.string }), object({ a: string }, ['a'])],
    ['a readonly object', t.readonly(t.type({ a: t.string })), object({ a: string }, ['a'])],
    ['a partial object', t.partial({ a: t.string }), object({ a: string }, [])],
    ['an absent field', t.type({ a: t.union([t.string, t.undefined]) }), object({ a: { anyOf: [string] } }, [])],
    ['fields', fields({ a: t.string, b: optional(t.number) }), object({ a: string, b: number }, ['a'])],
    ['a value or null', nullable(t.string), { anyOf: [string, { type: 'null' }] }],
    ['a whole number', integer(2, 32), { type: 'integer', minimum: 2, maximum: 32 }],
    ['a resource id', ResourceId, { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER }],
    ['an id in a path', PathId, { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER }],
    ['a whole number in a query', queryInteger(1, 9), { type: 'integer', minimum: 1, maximum: 9 }],
    [
      'a codec that brings its own',
      described({ type: 'string', format: 'uri' }, t.string),
      { type: 'string', format: 'uri' },
    ],
  ])('%s', (_, codec, schema) => {
    expect(jsonSchemaOf(codec, 'here')).toEqual(schema);
  });

  test('includes the length limits and the pattern of a string', () => {
    const slug = text({ min: 1, max: 64, pattern: { regexp: /^[a-z]+$/, words: 'must be lower case' } });
    expect(jsonSchemaOf(slug, 'here')).toMatchObject({ minLength: 1, maxLength: 64, pattern: '^[a-z]+$' });
  });

  test('cannot express a pattern that ignores case; the error explains how to declare one', () => {
    const word = text({ min: 1, max: 9, pattern: { regexp: /^[a-z]+$/i, words: 'must be a word' } });
    expect(() => jsonSchemaOf(fields({ word }), 'orders')).toThrow(/^orders\.word: .*without "i"/);
  });

  test('includes examples of a duration', () => {
    expect(jsonSchemaOf(Duration, 'here')).toMatchObject({ type: 'string', examples: ['PT4H', 'P7D'] });
  });

  test('cannot express a refinement; the error names its place', () => {
    expect(() => jsonSchemaOf(t.type({ count: t.Int }), 'orders')).toThrow(/^orders\.count: the codec Int/);
  });
});
