/** Random numbers from 0 up to 1, reproducible with a seed (mulberry32). */
export const createRandom = (seed: number | null): (() => number) => {
  let state = (seed ?? 0) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** `count` random numbers below `total`, without repetition; all of them if `count` is larger. */
export const sample = (total: number, count: number, random: () => number): Uint32Array => {
  const numbers = new Uint32Array(total).map((_, index) => index);
  const chosen = Math.min(count, total);
  for (let place = 0; place < chosen; place++) {
    const other = place + Math.floor(random() * (total - place));
    const taken = numbers[other]!;
    numbers[other] = numbers[place]!;
    numbers[place] = taken;
  }
  return numbers.subarray(0, chosen);
};
