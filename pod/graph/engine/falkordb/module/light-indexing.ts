/**
 * For each node that gets into an index, the module clears room for the 1,024 fields an index may have, 88 bytes each.
 * That is half of the work. The only index of a label here is the one on its key, which has four fields, so room for 64
 * is cleared instead: one number of one instruction changes. Throws when that instruction is not there exactly once.
 */
export const withLightIndexing = (module: Buffer): Buffer => {
  const at = module.indexOf(CLEARS_ALL_FIELDS);
  if (at < 0 || module.indexOf(CLEARS_ALL_FIELDS, at + 1) >= 0) {
    throw new Error('The graph module builds indexes in another way than expected; use the pinned package version.');
  }
  const changed = Buffer.from(module);
  changed.writeUInt32LE(FIELDS * FIELD_BYTES, at + 1);
  return changed;
};

const FIELDS = 64;
const FIELD_BYTES = 88;
/** `mov $90112, %edx`, the size for `memset`, and the two instructions behind it. */
const CLEARS_ALL_FIELDS = Buffer.from('ba0060010031ed64488b042528000000', 'hex');
