/** The number of random cases and repetitions: `sample` in `npm test`, `middle` in `.ci/run`, `full` in `npm run proof`. */
const PROOF = process.env['PROOF'] ?? 'sample';
export const isFullProof = PROOF === 'full';

/** Whether the log of every system is searched for secrets; with `sample` only that of `test/proof/secrets.test.ts`. */
export const searchesEveryLog = PROOF !== 'sample';

/** The number for the size of this run. */
export const bySize = (sizes: { readonly sample: number; readonly middle: number; readonly full: number }): number =>
  sizes[PROOF === 'full' || PROOF === 'middle' ? PROOF : 'sample'];
