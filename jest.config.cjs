// As the instance pod does, whose queries each occupy a thread of libuv; it must be set before the first one starts.
process.env.UV_THREADPOOL_SIZE ??= '16';

/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: '<rootDir>/test/support/file-by-file-environment.cjs',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  // Runs of their own: `npm run test:faults`, `test:console`, `test:servers` and `test:images`.
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/(faults|guides|images|runbooks|servers|console/browser)/'],
  transform: {
    '^.+\\.ts$': '@swc/jest',
    '/node_modules/(jose|hyparquet(-writer)?|@kubernetes/client-node|openid-client|oauth4webapi|temporal-(?:polyfill|utils)|string-width|get-east-asian-width|strip-ansi|ansi-regex)/.+\\.js$':
      '@swc/jest',
  },
  // They have ES modules alone.
  transformIgnorePatterns: [
    '/node_modules/(?!(jose|hyparquet(-writer)?|@kubernetes/client-node|openid-client|oauth4webapi|temporal-(?:polyfill|utils)|string-width|get-east-asian-width|strip-ansi|ansi-regex)/)',
  ],
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  testSequencer: '<rootDir>/test/support/slow-files-first.cjs',
  moduleNameMapper: {
    '^fast-check$': '<rootDir>/test/support/seeded-fast-check.cjs',
    // It has classes called Date and Map, which the globals below would be declared beside; not so in its bundle.
    '^apache-arrow$': '<rootDir>/node_modules/apache-arrow/Arrow.es2015.min.js',
    // Imported when they are needed, as Node.js wants it.
    '^(\\./|\\.\\./(?:client|eventstoredb|trino)/)(arrow-writer|write-parquet|s3-object-store|eventstoredb-event-store|trino-query-engine|[a-z-]+-commands?)\\.js$':
      '$1$2',
  },
  // A global costs a look through jest's sandbox at every use, unless modules get it as a parameter. No test replaces these.
  sandboxInjectedGlobals: [
    'Array',
    'BigInt',
    'Boolean',
    'Date',
    'Error',
    'JSON',
    'Map',
    'Math',
    'Number',
    'Object',
    'Promise',
    'RegExp',
    'Set',
    'String',
    'Symbol',
    'WeakMap',
  ],
  // Longer than one wait of a test, which then says what it waited for.
  testTimeout: 360_000,
  // An idle worker with its memory and threads ends within seconds; one with an open handle is reported.
  workerGracefulExitTimeout: 10_000,
  // Many tests wait for programs they started: a third file at a time uses what two leave of two processors.
  maxWorkers: 3,
};
