const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');
const { installCommonGlobals } = require('jest-util');

const { console, process } = globalThis;

/**
 * Test files run in the realm of Node.js itself, as the service does, and one after the other: with a context for each, every
 * file would load and keep all packages anew. Each has its own `process` and mocks, and no classes of an earlier one.
 */
module.exports = class Environment {
  global = globalThis;

  constructor({ projectConfig }) {
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimersModern = new ModernFakeTimers({
      config: projectConfig,
      global: globalThis,
    });
    const made = { Symbol, Date };
    installCommonGlobals(made, {}, 'off');
    globalThis.process = made.process;
    delete globalThis.classValidatorMetadataStorage;
  }

  async setup() {}

  async teardown() {
    this.fakeTimersModern.dispose();
    Object.assign(globalThis, { console, process });
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  /** Not used by the runtime beside this file, which has no contexts. */
  getVmContext() {
    return globalThis;
  }
};
