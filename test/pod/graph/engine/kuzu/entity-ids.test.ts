import { EntityIds } from '../../../../../pod/graph/engine/kuzu/read/entity-ids';

const schema = {
  nodeTables: [
    {
      label: 'N',
      primaryKey: {
        name: 'key',
        declaredType: 'INT64',
        type: { kind: 'scalar', name: 'INT64' },
        wholeMilliseconds: false,
      },
      properties: [],
    },
  ],
  edgeTables: [],
} as const;
const NODES = 10_000;

/** Nodes whose keys are ten times their offsets; a lookup of many of them scans all. */
const connection = {
  query: (text: string) => {
    const listed = /IN \[(.*)\]/.exec(text)?.[1]?.split(', ').map(Number);
    const offsets = listed ?? Array.from({ length: NODES }, (_, offset) => offset);
    return Promise.resolve({
      getNumTuples: () => offsets.length,
      hasNext: () => offsets.length > 0,
      getNextSync: () => ({ o: offsets[0], k: String(Number(offsets.shift()) * 10) }),
      close: () => undefined,
    });
  },
};

it('node ids are correct in tables with more nodes than the cache, for any number of nodes', async () => {
  const ids = new EntityIds(schema, new Map([[0, 'N']]), 1_000);
  for (const wanted of [
    Array.from({ length: 900 }, (_, i) => i * 11),
    [5, 0, 9_999],
    Array.from({ length: 900 }, (_, i) => i),
    Array.from({ length: 600 }, (_, i) => NODES - 1 - i),
  ]) {
    const raw = wanted.map((offset) => ({ table: 0, offset }));
    const rows = raw.map((id) => ({ id }));
    // The stand-in connection implements only what the lookup calls.
    await ids.lookUp(rows, [{ name: 'id', type: { kind: 'scalar', name: 'INTERNAL_ID' } }], connection as never);
    expect(raw.map(ids.idOf)).toEqual(wanted.map((offset) => `"N:${offset * 10}"`));
  }
  expect(() => ids.idOf({ table: 0, offset: 5_000 })).toThrow('more nodes');
});
