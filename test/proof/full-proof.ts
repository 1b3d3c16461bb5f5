/** `PROOF=full` (`npm run proof`) repeats and tries as much as the documentation promises; else a sample of it. */
export const isFullProof = process.env['PROOF'] === 'full';
