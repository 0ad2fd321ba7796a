const project = (displayName, testMatch) => ({
  displayName,
  rootDir: __dirname,
  testMatch,
  testEnvironment: 'node',
  transform: { '^.+\\.ts$': 'ts-jest' },
});

/** `unit` stands beside the source; `e2e` drives the built processes over HTTP; `slow` takes minutes and is run on demand. */
module.exports = {
  projects: [
    project('unit', ['<rootDir>/{src,sandbox,test}/**/*.spec.ts']),
    project('e2e', ['<rootDir>/test/e2e/**/*.e2e-spec.ts']),
    project('slow', ['<rootDir>/test/slow/**/*.slow-spec.ts']),
  ],
};
