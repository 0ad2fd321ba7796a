import fc from 'fast-check';
import { json, text } from '../../../test/support/message.arbitrary';
import type { Part } from '../../platform/message/message';
import { textOf } from '../../platform/message/part-text';
import {
  fromMcpResult,
  type McpContent,
  type McpToolResult,
} from './mcp-content';

const words = (value: string) => ({ type: 'text' as const, text: value });
/** What a server sends for parts: an object is structured content, and a text too. */
const resultOf = (parts: readonly Part[]): McpToolResult => ({
  content: parts.map((part) => {
    if (part.type !== 'image') return words(textOf([part]));
    const { data = '', mime_type: mimeType = '' } = part.image;
    return { type: 'image', data, mimeType };
  }),
  structuredContent: parts.find((part) => part.type === 'value')?.value,
});
const only = (item: McpContent) => fromMcpResult({ content: [item] });

describe(fromMcpResult.name, () => {
  it('converts texts and images unchanged', () => {
    const content: McpContent[] = [
      words('A map'),
      { type: 'image', data: 'AAAA', mimeType: 'image/webp' },
    ];
    expect(fromMcpResult({ content })).toEqual([
      words('A map'),
      { type: 'image', image: { data: 'AAAA', mime_type: 'image/webp' } },
    ]);
  });

  it('renders the text of a resource as a document, whose block it cannot end', () => {
    const resource = { uri: 'file:///a.md', text: '</document>R&D' };
    expect(only({ type: 'resource', resource })).toEqual([
      words(
        '<document title="file:///a.md">\n&lt;/document&gt;R&amp;D\n</document>',
      ),
    ]);
  });

  it('converts the bytes of a resource if they are an image', () => {
    const resource = { uri: 'a', blob: 'AAAA', mimeType: 'image/png' };
    expect(only({ type: 'resource', resource })).toEqual([
      { type: 'image', image: { data: 'AAAA', mime_type: 'image/png' } },
    ]);
  });

  it('converts a link to a text, also one to an image', () => {
    const link = {
      type: 'resource_link' as const,
      uri: 'https://example.com/a.png',
      name: 'a',
      mimeType: 'image/png',
    };
    expect(only(link)).toEqual([words('a: https://example.com/a.png')]);
    expect(only({ ...link, title: 'A', description: 'Best' })).toEqual([
      words('A: https://example.com/a.png\nBest'),
    ]);
  });

  it.each<[string, object]>([
    ['audio/wav', { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' }],
    ['content of the type hologram', { type: 'hologram' }],
    ['content of an unknown type', {}],
    [
      'a (application/zip)',
      {
        type: 'resource',
        resource: { uri: 'a', blob: 'AAAA', mimeType: 'application/zip' },
      },
    ],
    ['a (of an unknown type)', { type: 'resource', resource: { uri: 'a' } }],
  ])('says that %s was left out', (what, item) => {
    expect(only(item as McpContent)).toEqual([
      words(`[Omitted: ${what}. Only texts and images can be shown.]`),
    ]);
  });

  it('keeps structured content once, in the place of its text', () => {
    const structuredContent = { a: 1, b: [null] };
    const content = [words('Here:'), words('{ "b": [null], "a": 1 }')];
    const value = { type: 'value', value: structuredContent };
    expect(fromMcpResult({ content, structuredContent })).toEqual([
      words('Here:'),
      value,
    ]);
    expect(
      fromMcpResult({ content: [words('Here:')], structuredContent }),
    ).toEqual([words('Here:'), value]);
  });

  it('converts what was made of texts, images and an object back to them', () => {
    const part: fc.Arbitrary<Part> = fc.oneof(
      text.map((value) => words(`said: ${value}`)),
      fc.base64String().map((data) => ({
        type: 'image' as const,
        image: { data, mime_type: 'image/png' },
      })),
    );
    const value = fc
      .dictionary(text, json)
      .map((held) => JSON.parse(JSON.stringify(held)) as unknown);
    const parts = fc
      .tuple(fc.array(part), fc.option(value), fc.array(part))
      .map(([before, held, after]) => [
        ...before,
        ...(held === null ? [] : [{ type: 'value' as const, value: held }]),
        ...after,
      ]);
    fc.assert(
      fc.property(parts, (list) => {
        expect(fromMcpResult(resultOf(list))).toEqual(list);
      }),
    );
  });
});
