/** The numbers of 32 bits in a UUID. */
const WORDS = 4;
const FIRST_SLOTS = 2 ** 12;

/**
 * UUIDs as the numbers that they are, outside of the heap of JavaScript: a set of strings takes four times the memory,
 * and the time of the garbage collector. Open addressing: an id is in the first free slot after the one of its hash.
 */
export class UuidSet {
  private slots = new Uint32Array(FIRST_SLOTS * WORDS);
  private hasZero = false;
  private size = 0;

  /** False if the set has the id already. */
  add(id: string): boolean {
    const digits = id.replaceAll('-', '');
    const word = (index: number): number => Number.parseInt(digits.slice(8 * index, 8 * index + 8), 16);
    return this.put(word(0), word(1), word(2), word(3));
  }

  private put(a: number, b: number, c: number, d: number): boolean {
    if ((a | b | c | d) === 0) {
      // An empty slot.
      const isNew = !this.hasZero;
      this.hasZero = true;
      return isNew;
    }
    if (2 * WORDS * this.size >= this.slots.length) this.grow();
    const { slots } = this;
    const mask = slots.length - 1;
    const hash = Math.imul(a ^ Math.imul(b, 0x85ebca6b) ^ Math.imul(c, 0xc2b2ae35) ^ d, 0x9e3779b1);
    for (let at = ((hash ^ (hash >>> 15)) * WORDS) & mask; ; at = (at + WORDS) & mask) {
      const [w, x, y, z] = [slots[at], slots[at + 1], slots[at + 2], slots[at + 3]];
      if (w === a && x === b && y === c && z === d) return false;
      if (w !== 0 || x !== 0 || y !== 0 || z !== 0) continue;
      slots.set([a, b, c, d], at);
      this.size += 1;
      return true;
    }
  }

  private grow(): void {
    const before = this.slots;
    this.slots = new Uint32Array(before.length * 2);
    this.size = 0;
    for (let at = 0; at < before.length; at += WORDS) {
      const [a = 0, b = 0, c = 0, d = 0] = before.subarray(at, at + WORDS);
      if ((a | b | c | d) !== 0) this.put(a, b, c, d);
    }
  }
}
