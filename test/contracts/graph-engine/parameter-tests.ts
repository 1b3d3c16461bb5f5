import fc from 'fast-check';
import { left, type LoadedEngine } from '../../pod/graph/support/loaded-engine';

/** A JSON reader has already rounded these values; engines reject them. */
const isRounded = (value: number): boolean =>
  Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < 2 ** 64;

const KINDS = [
  fc.integer(),
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !isRounded(value)),
  fc.string({ unit: 'binary' }).filter((text) => !text.includes('\0')),
  fc.boolean(),
] as const;
const SCALAR = fc.oneof(...KINDS);
const FLAT_LIST = fc.oneof(
  ...KINDS.map((items: fc.Arbitrary<unknown>) => fc.array(fc.option(items, { nil: null, freq: 4 }), { maxLength: 5 })),
);
const MAP = fc.record({ a: fc.integer(), b: fc.integer(), c: FLAT_LIST }, { requiredKeys: ['a'] });
const ANYTHING = fc.oneof(fc.array(FLAT_LIST, { maxLength: 3 }), fc.array(MAP, { maxLength: 3 }), fc.jsonValue());

/** A value as parsed from JSON, which has no -0. */
const asRead = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** How parameters reach a graph engine. */
export const parameterTests = (loaded: () => LoadedEngine): void => {
  const ask = (text: string, parameters: Record<string, unknown>) =>
    loaded().engine.query({ text, parameters, timeoutMs: 20_000 });
  const rows = (text: string, parameters: Record<string, unknown>) => loaded().rows(text, parameters);

  test('scalars and flat lists arrive unchanged, including where their types have to be known', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(SCALAR, FLAT_LIST), async (value) => {
        expect(asRead(await rows('RETURN $value AS v', { value }))).toEqual([[asRead(value)]]);
        if (!Array.isArray(value)) return;
        const items = value.filter((item) => item !== null);
        const [[count, least]] = asRead(
          await rows('UNWIND $value AS item RETURN count(item), min(item)', { value }),
        ) as [[unknown, unknown]];
        expect([value, count]).toEqual([value, items.length]);
        expect(items.length === 0 ? [null] : asRead(items)).toContainEqual(least);
      }),
      { numRuns: 200 },
    );
  });

  test('values of any other shape arrive unchanged or are rejected', async () => {
    await fc.assert(
      fc.asyncProperty(ANYTHING, async (value) => {
        const answer = await ask('RETURN $value AS v', { value });
        if (answer._tag === 'Left') expect([value, answer.left.kind]).toEqual([value, 'rejected']);
        else expect(asRead(JSON.parse(answer.right.rowsJson))).toEqual([[asRead(value)]]);
      }),
      { numRuns: 300 },
    );
  });

  test('a list of 30,000 items is a valid parameter', async () => {
    const integers = Array.from({ length: 30_000 }, (_, index) => index - 1);
    const fractions = integers.map((item) => item / 4);
    const booleans = integers.map((item) => item % 2 === 0);
    const lists = [integers, integers.map(String), fractions, booleans, [null, ...integers], [null, ...fractions]];
    for (const list of lists) {
      expect(await rows('RETURN size($list)', { list })).toEqual([[list.length]]);
      expect(await rows('UNWIND $list AS item RETURN DISTINCT size($list)', { list })).toEqual([[list.length]]);
    }
    const text = 'UNWIND $ids AS id OPTIONAL MATCH (c:City {id: id}) RETURN count(id), sum(id), count(c), max($n)';
    expect(await rows(text, { ids: integers, n: 1 })).toEqual([[30_000, 449_955_000, 2, 1]]);
  });

  test('a parameter can be a list for IN, empty or not', async () => {
    const found = 'MATCH (p:Person) WHERE p.name IN $names RETURN p.name ORDER BY p.name';
    expect(await rows(found, { names: ['ada', "o'x", 'cyd'] })).toEqual([['ada'], ['cyd']]);
    expect(await rows(found, { names: [] })).toEqual([]);
  });

  test('a missing parameter is named in the error', async () => {
    expect(left(await ask('RETURN $missing', {}))).toMatchObject({
      kind: 'rejected',
      message: expect.stringContaining('$missing') as string,
    });
  });
};
