import {
  completionsSampling,
  responsesSampling,
  type Sampling,
} from './sampling';

const SCHEMA = { type: 'object' };
const ALL: Sampling = {
  temperature: 0,
  topP: 0.5,
  maxTokens: 7,
  reasoningEffort: 'low',
  stop: ['END'],
  format: { type: 'json_schema', name: 'a', schema: SCHEMA, strict: true },
};

describe(responsesSampling.name, () => {
  it('has the fields of the Responses API', () => {
    expect(responsesSampling(ALL)).toEqual({
      temperature: 0,
      top_p: 0.5,
      max_output_tokens: 7,
      reasoning: { effort: 'low' },
      text: { format: ALL.format },
    });
    expect(responsesSampling()).toEqual({});
  });
});

describe(completionsSampling.name, () => {
  it('has the fields of Chat Completions', () => {
    expect(completionsSampling(ALL)).toEqual({
      temperature: 0,
      top_p: 0.5,
      max_completion_tokens: 7,
      reasoning_effort: 'low',
      stop: ['END'],
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'a', schema: SCHEMA, strict: true },
      },
    });
    expect(completionsSampling({ format: { type: 'json_object' } })).toEqual({
      response_format: { type: 'json_object' },
    });
  });
});
