/**
 * Makes a program that was linked against glibc 2.38 run on older versions, down to 2.34. It depends on 2.38 only by
 * the C23 variants of five number parsers (which differ in binary literals only), a faster `fmod`, and a C++ start-up
 * marker that is never called. In the dynamic symbol table the former are redirected to the versions that every glibc
 * has, and the marker and the version needs themselves become optional. Code is not changed.
 *
 * Returns the changed copy; throws if the file has another structure, so that a newer package is noticed.
 */
export const forOlderGlibc = (program: Buffer): Buffer => {
  const elf = Buffer.from(program);
  const sections = readSections(elf);
  const symbols = sections.get('.dynsym');
  const names = sections.get('.dynstr');
  const versions = sections.get('.gnu.version');
  const needs = sections.get('.gnu.version_r');
  if (symbols === undefined || names === undefined || versions === undefined || needs === undefined) {
    throw new Error('The program has no dynamic symbol table with versions.');
  }
  const needed = readNeeds(elf, needs.offset, names.offset);
  const tooNew = needed.filter(({ name }) => TOO_NEW.has(name));
  for (let index = 0; index < symbols.size / SYMBOL_BYTES; index++) {
    const symbol = symbols.offset + index * SYMBOL_BYTES;
    const version = versions.offset + index * 2;
    const need = tooNew.find((candidate) => candidate.index === elf.readUInt16LE(version));
    if (need === undefined) continue;
    const nameOffset = elf.readUInt32LE(symbol);
    const name = cString(elf, names.offset + nameOffset);
    if (name === CPP_MARKER) {
      elf.writeUInt8((WEAK << 4) | (elf.readUInt8(symbol + 4) & 0xf), symbol + 4);
      continue;
    }
    const oldest = needed.find((candidate) => candidate.file === need.file && candidate.name === OLDEST);
    if (oldest === undefined || !(name === 'fmod' || name.startsWith(C23))) {
      throw new Error(`The program needs ${name} of ${need.name}, which older systems do not have.`);
    }
    // The C99 name is the end of the C23 name, so the string table already contains it.
    if (name.startsWith(C23)) elf.writeUInt32LE(nameOffset + C23.length, symbol);
    elf.writeUInt16LE(oldest.index, version);
  }
  for (const { flagsOffset } of tooNew) elf.writeUInt16LE(OPTIONAL_NEED, flagsOffset);
  return elf;
};

const TOO_NEW = new Set(['GLIBC_2.38', 'GLIBCXX_3.4.32']);
const OLDEST = 'GLIBC_2.2.5';
const C23 = '__isoc23_';
const CPP_MARKER = '_ZSt21ios_base_library_initv';
const SYMBOL_BYTES = 24;
/** `STB_WEAK` and `VER_FLG_WEAK` of the ELF specification. */
const WEAK = 2;
const OPTIONAL_NEED = 2;

interface Section {
  readonly offset: number;
  readonly size: number;
}

/** Sections by name, of a 64-bit little-endian ELF file. */
const readSections = (elf: Buffer): ReadonlyMap<string, Section> => {
  if (elf.length < 64 || elf.readUInt32BE(0) !== 0x7f454c46 || elf.readUInt16BE(4) !== 0x0201) {
    throw new Error('The program is not a 64-bit ELF file.');
  }
  const headers = Number(elf.readBigUInt64LE(0x28));
  const headerAt = (index: number): number => headers + index * elf.readUInt16LE(0x3a);
  const offsetOf = (header: number): number => Number(elf.readBigUInt64LE(header + 0x18));
  const names = offsetOf(headerAt(elf.readUInt16LE(0x3e)));
  return new Map(
    Array.from({ length: elf.readUInt16LE(0x3c) }, (_, index) => {
      const header = headerAt(index);
      const size = Number(elf.readBigUInt64LE(header + 0x20));
      return [cString(elf, names + elf.readUInt32LE(header)), { offset: offsetOf(header), size }];
    }),
  );
};

/** A version of a library that symbols refer to by `index`. */
interface VersionNeed {
  readonly file: number;
  readonly name: string;
  readonly index: number;
  readonly flagsOffset: number;
}

/** Walks the linked lists of libraries (`Verneed`) and their versions (`Vernaux`). */
const readNeeds = (elf: Buffer, start: number, names: number): readonly VersionNeed[] => {
  const needs: VersionNeed[] = [];
  for (let file = start, nextFile = 1; nextFile !== 0; file += nextFile) {
    let entry = file + elf.readUInt32LE(file + 8);
    for (let left = elf.readUInt16LE(file + 2); left > 0; left--) {
      const name = cString(elf, names + elf.readUInt32LE(entry + 8));
      needs.push({ file, name, index: elf.readUInt16LE(entry + 6), flagsOffset: entry + 4 });
      entry += elf.readUInt32LE(entry + 12);
    }
    nextFile = elf.readUInt32LE(file + 12);
  }
  return needs;
};

const cString = (elf: Buffer, start: number): string => elf.toString('latin1', start, elf.indexOf(0, start));
