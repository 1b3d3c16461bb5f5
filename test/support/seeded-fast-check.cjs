const fastCheck = require('../../node_modules/fast-check/lib/cjs/fast-check.js');

/** fast-check, with the seed of the run (seed.ts) instead of one from the clock. */
fastCheck.configureGlobal({ seed: Number(process.env.SEED ?? 1) });
module.exports = fastCheck;
