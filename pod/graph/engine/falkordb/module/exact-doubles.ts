/**
 * The module writes doubles with 15 digits, which makes 0.30000000000000004 a 0.3. With 17 digits every double reads
 * back as itself. The format is one string of the module, so one character of it changes. Throws when it is not there
 * exactly once: then the module is not the one this was made for.
 */
export const withExactDoubles = (module: Buffer): Buffer => {
  const format = Buffer.from('\0%.15g\0');
  const at = module.indexOf(format);
  if (at < 0 || module.indexOf(format, at + 1) >= 0) {
    throw new Error('The graph module writes numbers in another way than expected; use the pinned package version.');
  }
  const changed = Buffer.from(module);
  changed.write('\0%.17g\0', at, 'latin1');
  return changed;
};
