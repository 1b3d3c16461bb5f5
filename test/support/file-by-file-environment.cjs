const { AsyncLocalStorage } = require('node:async_hooks');
const { TestEnvironment } = require('jest-environment-node');

/**
 * Node's environment, but a test file leaves none of its stores of asynchronous context behind. The test runner makes
 * one per file, and in Node 20 every promise is told to each there ever was in the process: after a hundred files,
 * promises cost ten times as much.
 */
const opened = new Set();
const { run } = AsyncLocalStorage.prototype;
AsyncLocalStorage.prototype.run = function (...args) {
  opened.add(this);
  return run.apply(this, args);
};

module.exports = class FileByFileEnvironment extends TestEnvironment {
  async teardown() {
    await super.teardown();
    for (const storage of opened) storage.disable();
    opened.clear();
  }
};
