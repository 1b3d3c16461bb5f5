import { setImmediate as letOthersRun } from 'node:timers/promises';

/** The ends of edges as node numbers, by the order in which the edges came. */
export interface EdgeEnds {
  readonly from: Uint32Array;
  readonly to: Uint32Array;
}

/** The same in the order of the ends, with the place at which each edge came. */
export interface SortedEnds extends EdgeEnds {
  readonly edges: Uint32Array;
}

/** So few different digits that all their places stay in the caches of the processor. */
const DIGIT_BITS = 11;
const DIGITS = 2 ** DIGIT_BITS;

/** Sorts by the first end, then by the second; edges with the same ends stay in their order. */
export const sortedEnds = async ({ from, to }: EdgeEnds, nodes: number): Promise<SortedEnds> => {
  const count = from.length;
  let sorted: SortedEnds = { from: from.slice(), to: to.slice(), edges: numbered(count) };
  let next: SortedEnds = { from: new Uint32Array(count), to: new Uint32Array(count), edges: new Uint32Array(count) };
  for (const end of ['to', 'from'] as const) {
    for (let shift = 0; 2 ** shift < nodes; shift += DIGIT_BITS) {
      sortByDigit(sorted, sorted[end], shift, next);
      [sorted, next] = [next, sorted];
      await letOthersRun();
    }
  }
  return sorted;
};

/** The lowest digits first: a later digit keeps the order of the earlier ones. */
const sortByDigit = ({ from, to, edges }: SortedEnds, keys: Uint32Array, shift: number, into: SortedEnds): void => {
  const places = new Uint32Array(DIGITS + 1);
  const digitOf = (at: number): number => ((keys[at] ?? 0) >>> shift) & (DIGITS - 1);
  for (let at = 0; at < keys.length; at++) addTo(places, digitOf(at) + 1, 1);
  addUp(places);
  for (let at = 0; at < keys.length; at++) {
    const digit = digitOf(at);
    const place = places[digit] ?? 0;
    places[digit] = place + 1;
    into.from[place] = from[at] ?? 0;
    into.to[place] = to[at] ?? 0;
    into.edges[place] = edges[at] ?? 0;
  }
};

export const addTo = (numbers: Uint32Array, at: number, more: number): void => {
  numbers[at] = (numbers[at] ?? 0) + more;
};

/** Each number becomes the sum of itself and all before it. */
export const addUp = (numbers: Uint32Array): void => {
  for (let at = 1; at < numbers.length; at++) addTo(numbers, at, numbers[at - 1] ?? 0);
};

const numbered = (count: number): Uint32Array => {
  const numbers = new Uint32Array(count);
  for (let at = 0; at < count; at++) numbers[at] = at;
  return numbers;
};
