/** TypeScript as it stands, without its types, which `npm run typecheck` checks. */
const SWC = {
  jsc: {
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
    target: 'es2023',
  },
};

/** Of hundreds of files that take a second each, loading packages for every one was most of the time. */
const PACKAGES_ONCE = {
  testEnvironment: '<rootDir>/test/support/jest/environment.js',
  runtime: '<rootDir>/test/support/jest/runtime.js',
};

const project = (displayName, testMatch) => ({
  displayName,
  rootDir: __dirname,
  testMatch,
  modulePathIgnorePatterns: ['<rootDir>/data/'],
  transform: { '^.+\\.ts$': ['@swc/jest', SWC] },
  ...PACKAGES_ONCE,
});

/** `unit` stands beside the source; `e2e` drives the built processes over HTTP; `faults` breaks what they stand on; `proxy` puts a real proxy between; `browser` opens its pages in Chromium; `slow` takes minutes and is run on demand. */
module.exports = {
  testSequencer: './test/support/random-order.js',
  showSeed: true,
  projects: [
    project('unit', [
      '<rootDir>/{src,sandbox,examples,eval,test}/**/*.spec.ts',
    ]),
    project('e2e', ['<rootDir>/test/e2e/**/*.e2e-spec.ts']),
    project('faults', ['<rootDir>/test/faults/**/*.fault-spec.ts']),
    project('proxy', ['<rootDir>/test/proxy/**/*.proxy-spec.ts']),
    project('browser', ['<rootDir>/test/browser/**/*.browser-spec.ts']),
    project('slow', ['<rootDir>/test/slow/**/*.slow-spec.ts']),
  ],
};
