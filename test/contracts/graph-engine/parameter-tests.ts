import fc from 'fast-check';
import { parseExactJson } from '../../../adapters/client/graph-answer';
import { left, type LoadedEngine, right } from '../../pod/graph/support/loaded-engine';

const INTEGER = fc.oneof(
  fc.integer().map(BigInt),
  fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n),
  fc.constantFrom(2n ** 53n + 1n, 2n ** 63n - 1n, -(2n ** 63n), 0n, -1n),
);
const FLOAT = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer());
const KINDS = [
  INTEGER,
  FLOAT,
  fc.string({ unit: 'binary' }).filter((text) => !text.includes('\0')),
  fc.boolean(),
] as const;
const SCALAR = fc.oneof(...KINDS);
const FLAT_LIST = fc.oneof(
  ...KINDS.map((items: fc.Arbitrary<unknown>) => fc.array(fc.option(items, { nil: null, freq: 4 }), { maxLength: 5 })),
);
const MAP = fc.record({ a: INTEGER, b: FLOAT, c: FLAT_LIST }, { requiredKeys: ['a'] });
const ANYTHING = fc.oneof(fc.array(FLAT_LIST, { maxLength: 3 }), fc.array(MAP, { maxLength: 3 }), fc.jsonValue());

/** A value as it is read from an answer, which has the shortest digits of a float, and the kind only as column type. */
const read = (value: unknown): unknown => {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (typeof value === 'number') return /^-?\d+$/.test(String(value)) ? read(BigInt(String(value))) : value;
  if (Array.isArray(value)) return value.map(read);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, read(item)]));
};

/** How parameters reach a graph engine. */
export const parameterTests = (loaded: () => LoadedEngine): void => {
  const ask = (text: string, parameters: Record<string, unknown>) =>
    loaded().engine.query({ text, parameters, timeoutMs: 20_000 });
  const rows = async (text: string, parameters: Record<string, unknown>) =>
    read(parseExactJson(right(await ask(text, parameters)).rowsJson));

  test('scalars and flat lists arrive unchanged, including where their types have to be known', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(SCALAR, FLAT_LIST), async (value) => {
        expect(await rows('RETURN $value AS v', { value })).toEqual([[read(value)]]);
        if (!Array.isArray(value)) return;
        const items = value.filter((item) => item !== null);
        const [[count, least]] = (await rows('UNWIND $value AS item RETURN count(item), min(item)', { value })) as [
          [unknown, unknown],
        ];
        expect([value, count]).toEqual([value, items.length]);
        expect(items.length === 0 ? [null] : read(items)).toContainEqual(least);
      }),
      { numRuns: 200 },
    );
  });

  test('values of any other shape arrive unchanged or are rejected', async () => {
    await fc.assert(
      fc.asyncProperty(ANYTHING, async (value) => {
        const answer = await ask('RETURN $value AS v', { value });
        if (answer._tag === 'Left') expect([value, answer.left.kind]).toEqual([value, 'rejected']);
        else expect(read(parseExactJson(answer.right.rowsJson))).toEqual([[read(value)]]);
      }),
      { numRuns: 300 },
    );
  });

  test('a number keeps its kind: a bigint is an integer, a number is a float', async () => {
    const halves = async (one: unknown) => [
      await rows('RETURN $x / 2', { x: one }),
      await rows('MATCH (p:Person {name: "ada"}) RETURN $x / 2, p.age * $x / 8', { x: one }),
      await rows('UNWIND $xs AS x RETURN x / 2', { xs: [one, one] }),
      await rows('UNWIND [1, 1] AS i WITH i, $xs AS xs RETURN DISTINCT xs[0] / 2', { xs: [one, null] }),
      await rows('WITH $m AS m RETURN m.x / 2', { m: { x: one } }),
      await rows('UNWIND $ms AS m RETURN m.x / 2', { ms: [{ x: one }] }),
    ];
    expect(await halves(1n)).toEqual([[[0]], [[0, 4]], [[0], [0]], [[0]], [[0]], [[0]]]);
    expect(await halves(1)).toEqual([[[0.5]], [[0.5, 4.5]], [[0.5], [0.5]], [[0.5]], [[0.5]], [[0.5]]]);
    expect(await rows('MATCH (p:Person) RETURN p.name ORDER BY p.name LIMIT $n', { n: 1n })).toEqual([['ada']]);
  });

  test('integers of 64 bits are compared exactly', async () => {
    const text = 'MATCH (p:Person) WHERE p.big = $x RETURN p.name';
    expect(await rows(text, { x: 2n ** 53n + 1n })).toEqual([['ada']]);
    expect(await rows(text, { x: 2n ** 53n + 2n })).toEqual([]);
    const less = 'MATCH (p:Person) WHERE p.big < $x RETURN p.name ORDER BY p.name';
    expect(await rows(less, { x: 2n ** 63n - 1n })).toEqual([['ada'], ['bob']]);
    expect(await rows('MATCH (p:Person) WHERE p.age < $x RETURN count(p)', { x: 2n ** 63n - 1n })).toEqual([[2]]);
    expect(await rows('RETURN $x < $y', { x: -(2n ** 63n) + 1n, y: 2n ** 63n - 1n })).toEqual([[true]]);
  });

  test('a list of 30,000 items is a valid parameter', async () => {
    const numbers = Array.from({ length: 30_000 }, (_, index) => index - 1);
    const integers = numbers.map(BigInt);
    const fractions = numbers.map((item) => item / 4);
    const booleans = numbers.map((item) => item % 2 === 0);
    const lists = [integers, integers.map(String), fractions, booleans, [null, ...integers], [null, ...fractions]];
    for (const list of lists) {
      expect(await rows('RETURN size($list)', { list })).toEqual([[list.length]]);
      expect(await rows('UNWIND $list AS item RETURN DISTINCT size($list)', { list })).toEqual([[list.length]]);
    }
    const text = 'UNWIND $ids AS id OPTIONAL MATCH (c:City {id: id}) RETURN count(id), sum(id), count(c), max($n)';
    expect(await rows(text, { ids: integers, n: 1n })).toEqual([[30_000, 449_955_000, 2, 1]]);
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
