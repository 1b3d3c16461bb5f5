/**
 * A shared library whose only function replaces `std::thread::hardware_concurrency()`, from which the engine takes the
 * number of its workers; its package has no setting for it. Null where no such library can be loaded before a program.
 */
export const workerLibrary = (workers: number): Buffer | null => {
  const machine = process.platform === 'linux' ? MACHINES[process.arch] : undefined;
  return machine === undefined ? null : elfLibrary(machine, workers);
};

interface Machine {
  /** `e_machine` of the ELF specification. */
  readonly number: number;
  /** Returns a number from a function without parameters. */
  readonly returning: (value: number) => readonly number[];
}

const MACHINES: Readonly<Record<string, Machine>> = {
  // mov eax, value; ret
  x64: { number: 62, returning: (value) => [0xb8, ...littleEndian(value), 0xc3] },
  // mov w0, value; ret
  arm64: { number: 183, returning: (value) => [0x52800000 + value * 32, 0xd65f03c0].flatMap(littleEndian) },
};

const littleEndian = (value: number): number[] => [0, 8, 16, 24].map((bits) => (value >>> bits) & 0xff);

const FUNCTION = '_ZNSt6thread20hardware_concurrencyEv';
const NAMES = Buffer.from(`\0${FUNCTION}\0`);
/** What the loader reads and runs, and behind it what older loaders also write to. */
const [SEGMENTS, CODE, HASH, SYMBOLS, STRINGS, DYNAMIC, END] = [64, 288, 296, 320, 368, 408, 504];
const [READ, WRITE, EXECUTE] = [4, 2, 1];
/** The largest page there is; the writable part is on one of its own. */
const PAGE = 0x10000;

const elfLibrary = ({ number, returning }: Machine, value: number): Buffer => {
  const elf = Buffer.alloc(END);
  const words = (at: number, ...values: readonly number[]): void =>
    values.forEach((word, index) => elf.writeBigUInt64LE(BigInt(word), at + index * 8));
  const segment = (index: number, type: number, flags: number, start: number, size: number): void => {
    const address = start === DYNAMIC ? PAGE + start : start;
    const at = SEGMENTS + index * 56;
    elf.writeUInt32LE(type, at);
    elf.writeUInt32LE(flags, at + 4);
    words(at + 8, start, address, address, size, size, PAGE);
  };
  elf.write('\x7fELF\x02\x01\x01', 'latin1');
  for (const [at, half] of [[16, 3], [18, number], [20, 1], [52, 64], [54, 56], [56, 4], [58, 64]] as const) elf.writeUInt16LE(half, at); // prettier-ignore
  words(32, SEGMENTS);
  segment(0, 1, READ + EXECUTE, 0, DYNAMIC);
  segment(1, 1, READ + WRITE, DYNAMIC, END - DYNAMIC);
  segment(2, 2, READ + WRITE, DYNAMIC, END - DYNAMIC);
  // Without it the loader would make the stack executable.
  segment(3, 0x6474e551, READ + WRITE, 0, 0);
  elf.set(returning(value), CODE);
  for (const [index, word] of [1, 2, 1, 0, 0].entries()) elf.writeUInt32LE(word, HASH + index * 4);
  const symbol = SYMBOLS + 24;
  elf.set([1, 0, 0, 0, 0x12, 0, 1], symbol);
  words(symbol + 8, CODE, 8);
  words(DYNAMIC, 4, HASH, 5, STRINGS, 6, SYMBOLS, 10, NAMES.length, 11, 24, 0, 0);
  elf.set(NAMES, STRINGS);
  return elf;
};
