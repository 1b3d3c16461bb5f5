import { relativePaths } from '../../../adapters/system/relative-paths';

const shorten = relativePaths({
  warehouse: '/srv/row graph/warehouse',
  'object-store': 'file:///srv/row%20graph/objects',
  data: '/srv/row graph',
});

describe('server paths in a message', () => {
  it.each([
    ['"/srv/row graph/warehouse/bank.duckdb" is locked', '"warehouse/bank.duckdb" is locked'],
    ['no file below file:///srv/row%20graph/objects/ada/1/', 'no file below object-store/ada/1/'],
    ["ENOENT, stat '/srv/row graph/objects/a b.parquet'", "ENOENT, stat 'object-store/a b.parquet'"],
    ['/srv/row graph/warehouse: not a folder', 'warehouse: not a folder'],
    ['/srv/row graph/warehouse-2/x', 'data/warehouse-2/x'],
    ['Conflicting lock is held in /usr/bin/python3.11 (PID 7)', 'Conflicting lock is held in python3.11 (PID 7)'],
  ])('become relative: %s', (message, expected) => {
    expect(shorten(message)).toBe(expected);
  });

  it('stay unchanged outside its folders', () => {
    expect(shorten("cannot access '/etc/passwd'; see https://duckdb.org/docs/x")).toBe(
      "cannot access '/etc/passwd'; see https://duckdb.org/docs/x",
    );
  });
});
