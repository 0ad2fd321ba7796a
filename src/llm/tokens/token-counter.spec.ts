import fc from 'fast-check';
import { estimateTokenCount } from 'tokenx';
import { loadConfig } from '../../config/load-config';
import { LearntModels } from '../models/learnt-models';
import { contextExceeded } from '../upstream/upstream-error';
import { contextTokensOf, noteContext } from '../models/context-window';
import { countTokens, estimatePrompt, type TokenFactors } from './count-tokens';
import { isCutPrompt, TokenCounter } from './token-counter';

const ENGLISH =
  'Jajangmyeon came to Incheon with cooks from Shandong in 1883. '.repeat(40);
const KOREAN = '짜장면은 1883년 산둥 요리사들과 함께 인천에 들어왔다. '.repeat(
  40,
);

function countPrompt(texts: readonly string[], factors: TokenFactors): number {
  const { cjk, other } = estimatePrompt(texts);
  return Math.ceil(cjk * factors.cjk + other * factors.other);
}

describe(TokenCounter.name, () => {
  it('counts more than the library for a model that it does not know, and Korean twice', () => {
    const factors = new TokenCounter().factorsOf('my-llama');
    const plain = { cjk: 1, other: 1 };
    const ratio = (text: string) =>
      countTokens(text, factors) / countTokens(text, plain);
    expect(ratio(ENGLISH)).toBeCloseTo(1.3, 1);
    expect(ratio(KOREAN)).toBeGreaterThan(1.7);
  });

  it.each([
    ['fewer', 0.8],
    ['many more', 2.5],
  ])('learns that a model has %s tokens', (_, factor) => {
    const counter = new TokenCounter();
    const texts = [ENGLISH, ENGLISH];
    const tokens = Math.round(
      countPrompt(texts, { cjk: factor, other: factor }),
    );
    for (let calls = 0; calls < 30; calls += 1)
      counter.learn('my-llama', texts, tokens);
    const learnt = countPrompt(texts, counter.factorsOf('my-llama'));
    expect(learnt / tokens).toBeCloseTo(1, 1);
    expect(counter.factorsOf('another')).toEqual({ cjk: 2, other: 1.3 });
  });

  it('learns Korean and English apart', () => {
    const counter = new TokenCounter();
    const truth = { cjk: 3, other: 1 };
    for (let calls = 0; calls < 100; calls += 1)
      for (const texts of [[ENGLISH], [KOREAN]])
        counter.learn('my-llama', texts, countPrompt(texts, truth));
    const { cjk, other } = counter.factorsOf('my-llama');
    expect(cjk).toBeCloseTo(3, 0);
    expect(other).toBeCloseTo(1, 0);
  });

  it('exceeds an underestimate in one step more than an overestimate', () => {
    const of = (tokens: number) => {
      const counter = new TokenCounter();
      counter.learn('m', [ENGLISH], tokens);
      return counter.factorsOf('m').other;
    };
    const expected = countPrompt([ENGLISH], { cjk: 2, other: 1.3 });
    expect(of(expected * 2) / 1.3).toBeGreaterThan(1.3 / of(expected / 2));
  });

  it('knows a prompt that an endpoint has cut to its context', () => {
    const long = Array.from({ length: 20 }, () => ENGLISH);
    const whole = countTokens(long.join(''), { cjk: 1, other: 1 });
    expect(whole).toBeGreaterThan(8_192);
    expect(isCutPrompt(() => long, 2_048)).toBe(true);
    expect(isCutPrompt(() => long, 4_096)).toBe(true);
    expect(isCutPrompt(() => long, 4_095)).toBe(false);
    expect(isCutPrompt(() => long, whole - (whole % 256))).toBe(false);
    expect(isCutPrompt(() => [ENGLISH], 2_048)).toBe(false);
    for (const tokens of [0, NaN, -256, 256.5])
      expect(isCutPrompt(() => long, tokens)).toBe(false);
  });

  it.each([NaN, -1, 0, 3, Infinity])(
    'learns nothing absurd from a usage of %p',
    (tokens) => {
      const counter = new TokenCounter();
      counter.learn('m', [ENGLISH], tokens);
      const { cjk, other } = counter.factorsOf('m');
      expect(Math.max(cjk, other)).toBeLessThanOrEqual(4);
      expect(Math.min(cjk, other)).toBeGreaterThanOrEqual(0.7);
    },
  );

  it('forgets the model that was not used for longest once there are many', () => {
    const counter = new TokenCounter();
    for (let at = 0; at <= 500; at += 1)
      counter.learn(`m${at}`, [ENGLISH], 5_000);
    expect(counter.factorsOf('m0')).toEqual({ cjk: 2, other: 1.3 });
    expect(counter.factorsOf('m500').other).toBeGreaterThan(2);
  });
});

describe(countTokens.name, () => {
  const factors = { cjk: 2, other: 1.3 };

  it('counts at least one token in four characters of encoded data, Thai or Hindi', () => {
    for (const text of [
      'aGVsbG8gd29ybGQhIGhlbGxvIHdvcmxkIQ'.repeat(20),
      'ประวัติศาสตร์ของบะหมี่'.repeat(20),
      'नूडल्स का इतिहास बहुत पुराना है'.repeat(20),
    ])
      expect(countTokens(text, factors)).toBeGreaterThan(text.length / 4);
  });

  it('counts a whole at most as many as its parts, and never less than nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (a, b) => {
        const whole = countTokens(`${a}\n\n${b}`, factors);
        const parts = countTokens(a, factors) + countTokens(b, factors);
        expect(whole).toBeGreaterThanOrEqual(0);
        expect(whole).toBeLessThanOrEqual(parts + 8);
      }),
    );
  });

  it('counts line by line what the library counts of the whole', () => {
    const unit = fc.oneof(
      fc.constantFrom(
        '\n',
        '\n\n',
        ' ',
        '\r\n',
        '\u2028',
        '.',
        '。',
        '가',
        'a word',
        'a line that is long enough to be looked up, of sixty letters or more\n',
      ),
      fc.string({ unit: 'grapheme', maxLength: 3 }),
    );
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 60 }), (units) => {
        const text = units.join('');
        const { cjk, other } = estimatePrompt([text]);
        const whole = estimateTokenCount(text, {
          // As none of these has encoded data, Thai or the like.
          languageConfigs: [
            {
              pattern: /[\u0530-\u10ff\u1200-\u1fff]/,
              averageCharsPerToken: 2,
            },
          ],
        });
        expect(cjk + other - 4).toBeCloseTo(whole, 6);
      }),
      { numRuns: 300 },
    );
  });

  it.each(['가', 'a', '<', ' ', '<|endoftext|>'])(
    'counts a million of %j',
    (unit) => {
      expect(
        countTokens(unit.repeat(1_000_000 / unit.length), factors),
      ).toBeGreaterThanOrEqual(0);
    },
  );
});

describe('RELAY_AGENT_CONTEXT_TOKENS', () => {
  const of = (model: string, value?: string, learnt?: LearntModels) =>
    contextTokensOf(
      model,
      loadConfig({ RELAY_AGENT_CONTEXT_TOKENS: value }),
      learnt,
    );

  it('counts for less where an endpoint has named a smaller context, and never for more', () => {
    const learnt = new LearntModels();
    for (const tokens of [4_096, 100_000])
      noteContext(learnt, `of-${tokens}`, contextExceeded('none', {}, tokens));
    noteContext(learnt, 'any', new Error());
    noteContext(learnt, 'any', contextExceeded('none', {}));
    expect(of('of-4096', '8192', learnt)).toBe(4_096);
    expect(of('of-100000', '8192', learnt)).toBe(8_192);
    expect(of('any', '8192', learnt)).toBe(8_192);
  });

  it('is 32768 for every model, unless it is set', () => {
    expect(of('any')).toBe(32_768);
    expect(of('any', '8192')).toBe(8_192);
  });

  it('may be set for models by their names, the most precise one first', () => {
    const value = 'my-llama*:8192,my-llama-long:100000,*:65536';
    expect(of('my-llama-3', value)).toBe(8_192);
    expect(of('my-llama-long', value)).toBe(100_000);
    expect(of('gpt-4o', value)).toBe(65_536);
    expect(of('gpt-4o', 'my-llama*:8192')).toBe(32_768);
  });

  it.each(['many', '100', '99999999999', 'my-llama:100', 'my-llama:', '8k'])(
    'refuses %j with its own name',
    (value) => {
      expect(() => of('any', value)).toThrow(/^RELAY_AGENT_CONTEXT_TOKENS /);
    },
  );
});
