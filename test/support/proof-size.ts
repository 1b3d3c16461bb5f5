/** Only full proofs search the logs of all systems for secrets; test/proof/secrets.test.ts searches those of its system. */
export const isFullProof = process.env['PROOF'] === 'full';

/** The number of random cases or repetitions: `sample` in `npm test` and `.ci/run`, `full` in `npm run proof`. */
export const bySize = ({ sample, full }: { readonly sample: number; readonly full: number }): number =>
  isFullProof ? full : sample;
