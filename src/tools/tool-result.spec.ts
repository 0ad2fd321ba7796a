import type { Part } from '../platform/message/message';
import { ToolError } from './tool-error';
import { toContents, ToolResult } from './tool-result';

const circular: Record<string, unknown> = {};
circular.self = circular;

describe(toContents.name, () => {
  it.each<[unknown, Part[]]>([
    ['Sunny.', [{ type: 'text', text: 'Sunny.' }]],
    ['', [{ type: 'text', text: '' }]],
    ['a\ud800b', [{ type: 'text', text: 'a\ufffdb' }]],
    [undefined, [{ type: 'text', text: 'Done.' }]],
    [null, [{ type: 'value', value: null }]],
    [0, [{ type: 'value', value: 0 }]],
    [NaN, [{ type: 'value', value: null }]],
    [[1, undefined], [{ type: 'value', value: [1, null] }]],
    [
      { at: new Date(0), left: undefined },
      [{ type: 'value', value: { at: '1970-01-01T00:00:00.000Z' } }],
    ],
  ])('makes contents of %j', (returned, contents) => {
    expect(toContents(returned)).toEqual(contents);
  });

  it('returns parts unchanged', () => {
    const contents: Part[] = [
      { type: 'text', text: 'A map:' },
      { type: 'image', image: { data: 'AAAA', mime_type: 'image/png' } },
      { type: 'value', value: { a: 1 } },
    ];
    expect(toContents(new ToolResult(contents))).toEqual(contents);
    expect(toContents(new ToolResult([]))).toEqual([]);
  });

  it.each<[string, unknown]>([
    ['a circle', circular],
    ['a BigInt', { n: 1n }],
    ['a function', () => 1],
    ['a symbol', Symbol('s')],
    [
      'what fails to be written',
      {
        toJSON() {
          throw new Error('sk-secret');
        },
      },
    ],
    ['no list of parts', new ToolResult('text' as unknown as Part[])],
    ['a part that is none', new ToolResult([null] as unknown as Part[])],
    [
      'a text that is none',
      new ToolResult([{ type: 'text' }] as unknown as Part[]),
    ],
    [
      'an image that is none',
      new ToolResult([{ type: 'image', url: 'x' }] as unknown as Part[]),
    ],
    [
      'a part of an unknown type',
      new ToolResult([{ type: 'audio' }] as unknown as Part[]),
    ],
  ])('refuses %s, in words of its own', (_, returned) => {
    const make = () => toContents(returned);
    expect(make).toThrow(ToolError);
    expect(make).toThrow(
      expect.objectContaining({
        code: 'INVALID_RESULT',
        message: 'The tool returned neither text nor JSON.',
      }),
    );
  });
});
