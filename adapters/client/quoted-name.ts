/** A name as SQL writes it: in quotes where it needs them. */
export const quotedName = (name: string): string =>
  /^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;

/** The parts of a dotted name as SQL writes it; a part without quotes may have spaces. */
export const partsOfName = (name: string): readonly string[] =>
  [...name.matchAll(/"((?:[^"]|"")*)"(?=\.|$)|[^.]+/g)].map(
    ([whole, inQuotes]) => inQuotes?.replaceAll('""', '"') ?? whole,
  );
