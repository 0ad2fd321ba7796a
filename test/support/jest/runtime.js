const { createRequire, isBuiltin } = require('node:module');
const { Script, constants } = require('node:vm');
const { default: JestRuntime } = require('jest-runtime');

const importModuleDynamically = constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;
/** What this process has compiled, by file. */
const compiled = new Map();

/**
 * Loads packages once for all test files of a process, by Node.js itself; each file still has modules of the project of its
 * own. Loading them for each took most of the time of a unit test.
 */
module.exports = class Runtime extends JestRuntime {
  constructor(...options) {
    super(...options);
    const names = this.executor.injectedModuleParameters.join(', ');
    this.executor.compile = (source, filename) => {
      let known = compiled.get(filename);
      if (known?.source !== source) {
        const wrapped = `(function (${names}) {${source}\n})`;
        const options = { filename, importModuleDynamically };
        known = { source, script: new Script(wrapped, options) };
        compiled.set(filename, known);
      }
      return known.script.runInThisContext();
    };
  }

  /** Packages outlive the file, and get the built-in modules of Node.js itself. */
  installGetBuiltinModule() {}

  requireModuleOrMock(from, name) {
    const isPackage = !/^[./]/.test(name) && !isBuiltin(name);
    return isPackage
      ? createRequire(from)(name)
      : super.requireModuleOrMock(from, name);
  }
};
