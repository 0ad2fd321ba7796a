import { isObject } from '../../message/call.arguments';
import { UpstreamError } from '../upstream/upstream.error';

const LEFT_OUT = '[An image. You cannot be shown images.]';

/**
 * Whether a request was refused because of the images in it: many models take none, and every server says so in words of
 * its own.
 */
export function refusesImages(failure: unknown, body: object): boolean {
  if (!(failure instanceof UpstreamError)) return false;
  const { status = 0, code = '', message = '' } = failure.fault;
  return (
    [400, 415, 422].includes(status) &&
    /image|vision|multi-?modal|content type/i.test(`${code} ${message}`) &&
    /"type":"(input_image|image_url)"/.test(JSON.stringify(body))
  );
}

/** The same request in which a text stands where an image was. */
export function withoutImages<T>(body: T): T {
  return JSON.parse(
    JSON.stringify(body, (_, value: unknown) => {
      if (!isObject(value)) return value;
      if (value.type === 'input_image')
        return { type: 'input_text', text: LEFT_OUT };
      return value.type === 'image_url'
        ? { type: 'text', text: LEFT_OUT }
        : value;
    }),
  ) as T;
}
