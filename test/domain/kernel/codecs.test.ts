import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import {
  type FieldError,
  fieldErrorLines,
  fieldErrors,
  fields,
  integer,
  nullable,
  optional,
  text,
  unknownFields,
} from '../../../domain/kernel/codecs';
import { expectRight } from '../../support/given-when-then';

const Body = fields({
  name: text({ min: 1, max: 5, notBlank: true }),
  size: optional(integer(1, 8)),
  kind: optional(nullable(t.keyof({ a: null, b: null }))),
  parts: optional(t.readonlyArray(fields({ label: t.string }))),
});
const errorsOf = (value: unknown, codec: t.Mixed = Body): readonly FieldError[] => {
  const decoded = codec.decode(value);
  return isLeft(decoded) ? fieldErrors(decoded.left) : [];
};

describe('the fields of a body', () => {
  it('are dropped when they are unknown', () => {
    expect(expectRight(Body.decode({ name: 'x', owner_username: 'eve', id: 1 }))).toEqual({ name: 'x' });
  });

  it('are named when they are unknown, with the field that was probably meant', () => {
    expect(unknownFields(Body, { nmae: 'x', parts: [{ label: 'a', other: 1 }] })).toEqual([
      { field: 'nmae', meant: 'name', known: ['name', 'size', 'kind', 'parts'] },
      { field: 'parts.0.other', meant: null, known: ['label'] },
    ]);
  });

  it('are not compared beyond the first ten unknown ones', () => {
    const fail = () => {
      throw new Error('compared');
    };
    const unread = new Proxy({}, { getOwnPropertyDescriptor: fail, ownKeys: fail });
    const parts: readonly unknown[] = [...Array.from({ length: 10 }, () => ({ label: 'a', other: 1 })), unread];
    expect(unknownFields(Body, { name: 'x', parts })).toHaveLength(10);
  });

  it('stay absent when they are absent; null is a value', () => {
    expect(expectRight(Body.decode({ name: 'x', kind: null }))).toEqual({ name: 'x', kind: null });
  });

  it('are all checked, and named by a dotted path', () => {
    expect(errorsOf({ size: 9, kind: 'c', parts: [{ label: 'ok' }, { label: 1 }, 7] })).toEqual([
      { field: 'name', message: 'is required' },
      { field: 'size', message: 'must be an integer from 1 to 8, not 9' },
      { field: 'kind', message: 'must be one of a, b, not "c"' },
      { field: 'parts.1.label', message: 'must be a string, not 1' },
      { field: 'parts.2', message: 'must be an object, not 7' },
    ]);
  });

  it.each([
    [null, 'null'],
    [[], 'a list'],
    ['text', '"text"'],
    ['a'.repeat(61), `"${'a'.repeat(60)}…"`],
    [7n, '7'],
  ])('require an object, not %p', (value, shown) => {
    expect(errorsOf(value)).toEqual([{ field: '', message: `must be an object, not ${shown}` }]);
  });

  it.each(['1', 1.5, true, null, 0, 9])('an integer rejects %j', (size) => {
    expect(errorsOf({ name: 'x', size })).toEqual([
      { field: 'size', message: `must be an integer from 1 to 8, not ${JSON.stringify(size)}` },
    ]);
  });

  it('keep values of secret fields out of errors', () => {
    const Settings = fields({ ROWGRAPH_API_KEY: integer(1), ROWGRAPH_EDGE_TOKEN: integer(1), primary_key: integer(1) });
    expect(errorsOf({ ROWGRAPH_API_KEY: 'a', ROWGRAPH_EDGE_TOKEN: 'b', primary_key: 'c' }, Settings)).toEqual([
      { field: 'ROWGRAPH_API_KEY', message: 'must be an integer of at least 1' },
      { field: 'ROWGRAPH_EDGE_TOKEN', message: 'must be an integer of at least 1' },
      { field: 'primary_key', message: 'must be an integer of at least 1, not "c"' },
    ]);
  });

  it('never come from the prototype', () => {
    expect(errorsOf(Object.create({ name: 'x' }))).toEqual([{ field: 'name', message: 'is required' }]);
    const polluted: unknown = JSON.parse('{"name": "x", "__proto__": {"size": 3}}');
    expect(expectRight(Body.decode(polluted))).toEqual({ name: 'x' });
  });
});

describe('text', () => {
  const accepts = (value: string): boolean => !isLeft(text({ min: 2, max: 4, notBlank: true }).decode(value));

  it('is measured in code points', () => {
    expect(accepts('🦊🦊🦊🦊')).toBe(true);
    expect(accepts('🦊🦊🦊🦊🦊')).toBe(false);
    expect(accepts('🦊')).toBe(false);
  });

  it('is not blank where that is required', () => {
    expect(accepts('   ')).toBe(false);
    expect(accepts(' a ')).toBe(true);
  });

  it('rejects characters that no database can store', () => {
    expect(accepts('a\u0000b')).toBe(false);
    expect(accepts('a\ud800b')).toBe(false);
    expect(accepts('a\udc00\ud83e')).toBe(false);
  });
});

test('a misspelt name of a long list has a suggestion', () => {
  const names = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`Instance${n}Deleted`, null]));
  const decoded = t.keyof(names).decode('Instance7Deletd');
  expect(isLeft(decoded) && fieldErrorLines(decoded.left)[0]).toMatch(/; did you mean Instance7Deleted\?$/);
});
