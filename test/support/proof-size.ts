/**
 * How much is repeated and tried: a sample in `npm test`, more with `PROOF=middle` (`.ci/run`), and all that the
 * documentation promises with `PROOF=full` (`npm run proof`).
 */
const PROOF = process.env['PROOF'] ?? 'sample';
export const isFullProof = PROOF === 'full';

/** The number for the size of this run. */
export const bySize = (sizes: { readonly sample: number; readonly middle: number; readonly full: number }): number =>
  sizes[PROOF === 'full' || PROOF === 'middle' ? PROOF : 'sample'];
