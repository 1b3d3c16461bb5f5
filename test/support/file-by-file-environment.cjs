const { AsyncLocalStorage } = require('node:async_hooks');
const { PerformanceObserver } = require('node:perf_hooks');
const vm = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');

/**
 * Node's environment without the stores of asynchronous context that a test file leaves behind. The test runner creates
 * one per file, and in Node 20 every promise costs time for each store of the process: after a hundred files, promises
 * cost ten times as much.
 */
const opened = new Set();
const { run } = AsyncLocalStorage.prototype;
AsyncLocalStorage.prototype.run = function (...args) {
  opened.add(this);
  return run.apply(this, args);
};

/** The metrics of a system observe the garbage collector for as long as the process runs. */
const observers = new Set();
const { observe } = PerformanceObserver.prototype;
PerformanceObserver.prototype.observe = function (...args) {
  observers.add(this);
  return observe.apply(this, args);
};

/**
 * Every test file compiles its modules anew. Reusing V8's code of an earlier file takes a fraction of the time. It is
 * copied, because V8's own buffer keeps the globals and modules of the file that compiled it in memory.
 */
const compiled = new Map();
const { compileFunction } = vm;
vm.compileFunction = (code, parameters, options) => {
  const known = compiled.get(code);
  const made = compileFunction(code, parameters, {
    ...options,
    cachedData: known,
    produceCachedData: known === undefined,
  });
  if (made.cachedData !== undefined) compiled.set(code, Buffer.from(made.cachedData));
  return made;
};

module.exports = class FileByFileEnvironment extends TestEnvironment {
  async teardown() {
    await super.teardown();
    for (const storage of opened) storage.disable();
    opened.clear();
    for (const observer of observers) observer.disconnect();
    observers.clear();
    // The namespace that EventStoreDB's client adds its messages to.
    delete globalThis.proto;
  }
};
