import * as t from 'io-ts';
import { decodeEventData } from '../../../domain/kernel/event-catalogue';
import { expectLeft, expectRight } from '../../support/given-when-then';

const catalogue = {
  Renamed: {
    schemaVersion: 3,
    codec: t.strict({ first: t.string, last: t.string }),
    upcasts: {
      1: (data: unknown) => ({ full: data }),
      2: (data: unknown) => {
        const [first, last] = String((data as { readonly full: unknown }).full).split(' ');
        return { first, last };
      },
    },
  },
};
const decode = (type: string, schemaVersion: number, data: unknown) =>
  decodeEventData(catalogue, { type, schemaVersion, data }, 'at position 7');

describe('reading an event', () => {
  it('upgrades every older version to the current shape', () => {
    const today = { type: 'Renamed', data: { first: 'Ada', last: 'Lovelace' } };
    expect(expectRight(decode('Renamed', 1, 'Ada Lovelace'))).toEqual(today);
    expect(expectRight(decode('Renamed', 2, { full: 'Ada Lovelace' }))).toEqual(today);
    expect(expectRight(decode('Renamed', 3, { first: 'Ada', last: 'Lovelace' }))).toEqual(today);
  });

  it('an unknown type or a later version fails with its place', () => {
    expect(expectLeft(decode('Vanished', 1, {}))).toMatchObject({
      kind: 'unknown_type',
      message: expect.stringContaining('at position 7') as string,
    });
    expect(expectLeft(decode('Renamed', 4, {})).kind).toBe('unknown_type');
    expect(expectLeft(decode('toString', 1, {})).kind).toBe('unknown_type');
  });

  it('a different shape fails with the names of the fields', () => {
    const error = expectLeft(decode('Renamed', 3, { first: 1, last: 'Lovelace' }));
    expect(error).toMatchObject({ kind: 'bad_data', message: expect.stringContaining('first') as string });
  });
});
