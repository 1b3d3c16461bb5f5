/** @type {import('jest').Config} */
module.exports = {
  ...require('../../../jest.config.cjs'),
  rootDir: '../../..',
  roots: ['<rootDir>/test/console/browser'],
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: 1,
};
