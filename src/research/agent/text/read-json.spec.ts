import { readJson } from './read-json';

describe(readJson.name, () => {
  it.each([
    ['<think>{"a":1}</think>{"b":2}'],
    ['<THINK>{ <think> { </think>{"b":2}'],
    ['<reasoning><think>{</reasoning>{"b":2}<think>'],
    ['</think>{"b":2}'],
  ])('reads the object beside the thoughts of %s', (answer) => {
    expect(readJson(answer)).toEqual({ b: 2 });
  });

  it('ends with an answer that repeats a tag hundreds of thousands of times', () => {
    expect(readJson(`${'<think>'.repeat(300_000)}{"b":2}`)).toEqual({ b: 2 });
  });
});
