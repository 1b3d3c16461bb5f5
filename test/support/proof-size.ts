/** The number of random cases and repetitions: `sample` in `npm test`, `middle` in `.ci/run`, `full` in `npm run proof`. */
const PROOF = process.env['PROOF'] ?? 'sample';
/** Only full proofs search the logs of all systems for secrets; test/proof/secrets.test.ts searches those of its system. */
export const isFullProof = PROOF === 'full';

/** The number for the size of this run. */
export const bySize = (sizes: { readonly sample: number; readonly middle: number; readonly full: number }): number =>
  sizes[PROOF === 'full' || PROOF === 'middle' ? PROOF : 'sample'];
