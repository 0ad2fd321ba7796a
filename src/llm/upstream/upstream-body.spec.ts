import { requestText } from './upstream-body';

describe(requestText.name, () => {
  const tool = { type: 'function', name: 'f', parameters: { type: 'object' } };

  it.each([
    ['a request without tools', { model: 'm', input: [] }],
    ['a request with tools', { model: 'm', tools: [tool, tool], store: true }],
    ['a request with no tool', { model: 'm', tools: [] }],
    ['a request of tools alone', { tools: [tool] }],
    ['a field that is left out', { model: 'm', include: undefined, tools: [] }],
    ['tools that are no list', { model: 'm', tools: null }],
  ])('writes %s as JSON would', (_, body) => {
    for (let time = 0; time < 2; time += 1)
      expect(JSON.parse(requestText(body))).toEqual(
        JSON.parse(JSON.stringify(body)),
      );
  });
});
