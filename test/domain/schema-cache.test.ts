import { isLeft } from 'fp-ts/Either';
import { parseAllowList } from '../../domain/schema-cache';
import { expectRight } from '../support/given-when-then';

const listOf = (text: string | null) => expectRight(parseAllowList(text));

describe('the allow-list', () => {
  it('allows everything when it is not set', () => {
    expect(listOf(null)).toMatchObject({ isUnrestricted: true, places: [] });
    expect(listOf(null).allowsSchema('any', 'thing')).toBe(true);
  });

  it('names catalogs and schemas, ignoring case, order and repetition', () => {
    const list = listOf(' lake.raw , Bank,bank ');
    expect(list.places).toEqual([
      { catalog: 'bank', schema: null },
      { catalog: 'lake', schema: 'raw' },
    ]);
    expect(list.allowsSchema('BANK', 'main')).toBe(true);
    expect(list.allowsSchema('lake', 'RAW')).toBe(true);
    expect(list.allowsCatalog('Lake')).toBe(true);
    expect(list.allowsSchema('lake', 'secret')).toBe(false);
    expect(list.allowsCatalog('la')).toBe(false);
    expect(list.allowsCatalog('raw')).toBe(false);
  });

  it('accepts names with dots, commas and quotes in double quotes', () => {
    expect(listOf('"my.data"."a,""b"').places).toEqual([{ catalog: 'my.data', schema: 'a,"b' }]);
    expect(listOf('my data.raw zone').places).toEqual([{ catalog: 'my data', schema: 'raw zone' }]);
  });

  it.each(['', ' ', ',', 'bank,', ',bank', 'bank.', '.main', 'a.b.c', 'bank lake.', '"bank', '""', 'a"b'])(
    'is rejected as %j',
    (text) => expect(isLeft(parseAllowList(text))).toBe(true),
  );
});
