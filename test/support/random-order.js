const { createHash } = require('node:crypto');
const path = require('node:path');
const Sequencer = require('@jest/test-sequencer').default;

/** Files in an order that the seed decides, so that none passes only after another. `--seed` repeats it. */
module.exports = class RandomOrder extends Sequencer {
  constructor(options) {
    super(options);
    this.seed = options.globalConfig.seed;
  }

  sort(tests) {
    const rank = (test) =>
      createHash('sha1')
        .update(`${this.seed} ${path.relative(process.cwd(), test.path)}`)
        .digest('hex');
    const ranks = new Map(tests.map((test) => [test, rank(test)]));
    return [...tests].sort((a, b) => (ranks.get(a) < ranks.get(b) ? -1 : 1));
  }
};
