const { resolve } = require('node:path');
const { testPathIgnorePatterns, ...everywhere } = require('../../jest.config.cjs');

/** `npm run test:servers`: tests that need servers that do not come with the packages. */
/** @type {import('jest').Config} */
module.exports = {
  ...everywhere,
  rootDir: resolve(__dirname, '../..'),
  roots: ['<rootDir>/test/servers'],
  reporters: ['default', '<rootDir>/test/servers/support/left-out-reporter.cjs'],
  // Some tests check times, so one file runs at a time.
  maxWorkers: 1,
};
