import { LearntModels } from './learnt-models';

describe(LearntModels.name, () => {
  const learnt = new LearntModels();

  it('knows a fact of one model with its value until its time is over', () => {
    learnt.learn('a', 'context tokens', { value: 8_192 });
    learnt.learn('a', 'images are refused', { ms: 0 });
    expect(learnt.value('a', 'context tokens')).toBe(8_192);
    expect(learnt.knows('a', 'images are refused')).toBe(false);
    expect(learnt.knows('b', 'context tokens')).toBe(false);
    expect([...learnt.all()]).toEqual([
      ['a', [expect.objectContaining({ fact: 'context tokens' })]],
    ]);
  });

  it('forgets the models that were longest ago once there are 500', () => {
    for (let i = 0; i < 501; i += 1) learnt.learn(`m${i}`, 'fact');
    expect(learnt.knows('m0', 'fact')).toBe(false);
    expect(learnt.all().size).toBe(500);
  });

  it('forgets the oldest fact of a model once it has 100', () => {
    for (let i = 0; i < 101; i += 1) learnt.learn('many', `x ${i}`);
    expect(learnt.withPrefix('many', 'x ')).toHaveLength(100);
    expect(learnt.knows('many', 'x 0')).toBe(false);
  });
});
