const { resolve } = require('node:path');
const { testPathIgnorePatterns, ...everywhere } = require('../../jest.config.cjs');

/** `npm run test:faults`: whole systems as real processes that are killed, frozen or restarted, and all documented commands. */
/** @type {import('jest').Config} */
module.exports = {
  ...everywhere,
  rootDir: resolve(__dirname, '../..'),
  roots: ['<rootDir>/test/faults', '<rootDir>/test/guides', '<rootDir>/test/runbooks'],
};
