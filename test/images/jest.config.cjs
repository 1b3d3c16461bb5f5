const { resolve } = require('node:path');
const { testPathIgnorePatterns, ...everywhere } = require('../../jest.config.cjs');

/** `npm run test:images`: builds the images and runs them; needs root and a build command (docs/testing.md). */
/** @type {import('jest').Config} */
module.exports = {
  ...everywhere,
  rootDir: resolve(__dirname, '../..'),
  roots: ['<rootDir>/test/images'],
  maxWorkers: 1,
};
