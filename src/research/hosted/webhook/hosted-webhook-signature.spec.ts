import {
  signedEvent,
  type SignedEvent,
} from '../../../../test/support/upstream/signed-event';
import { loadConfig } from '../../../config/load-config';
import { HostedWebhookSignature } from './hosted-webhook-signature';

const KEY = Buffer.from('the secret that is in use today!');
const OLD_KEY = Buffer.from('the secret of the day before....');
const PLAIN = '비밀 plain text';
const secretOf = (key: Buffer): string => `whsec_${key.toString('base64')}`;

const EVENT = { type: 'response.completed', data: { id: 'resp_1' } };
const refused = expect.objectContaining({ code: 'invalid_webhook_signature' });

describe(HostedWebhookSignature.name, () => {
  const verify = ({ headers, body }: SignedEvent, secrets: string): void =>
    new HostedWebhookSignature(
      loadConfig({ OPENAI_WEBHOOK_SECRET: secrets }),
    ).verify(headers, Buffer.from(body));
  const accepts = (event: SignedEvent, secrets = secretOf(KEY)): void =>
    expect(() => verify(event, secrets)).not.toThrow();
  const refuses = (event: SignedEvent, secrets = secretOf(KEY)): void =>
    expect(() => verify(event, secrets)).toThrow(refused);

  it('accepts what was signed with the secret, and nothing else', () => {
    accepts(signedEvent(EVENT, { key: KEY }));
    refuses(signedEvent(EVENT, { key: OLD_KEY }));
  });

  it('accepts what any of several secrets has signed', () => {
    const secrets = `${secretOf(KEY)},${secretOf(OLD_KEY)},${PLAIN}`;
    for (const key of [KEY, OLD_KEY, PLAIN])
      accepts(signedEvent(EVENT, { key }), secrets);
    refuses(signedEvent(EVENT, { key: 'another' }), secrets);
  });

  it('takes a secret without the prefix as it is, in UTF-8', () => {
    accepts(signedEvent(EVENT, { key: PLAIN }), PLAIN);
    const base64 = KEY.toString('base64');
    accepts(signedEvent(EVENT, { key: base64 }), base64);
    refuses(signedEvent(EVENT, { key: KEY }), base64);
  });

  it.each([299, -299])('accepts an event %i s from now', (offset) => {
    accepts(signedEvent(EVENT, { key: KEY, offset }));
  });

  it.each([360, -360])('refuses an event %i s from now', (offset) => {
    refuses(signedEvent(EVENT, { key: KEY, offset }));
  });

  it('refuses a body that was changed, if only in its spaces', () => {
    const event = signedEvent(EVENT, { key: KEY });
    refuses({ ...event, body: event.body.replace('resp_1', 'resp_2') });
    refuses({ ...event, body: `${event.body} ` });
  });

  it('accepts one good signature among several', () => {
    const event = signedEvent(EVENT, { key: KEY });
    const bad = signedEvent(EVENT, { key: OLD_KEY }).headers;
    const both = [
      'v1a,AAAA',
      'v1',
      bad['webhook-signature'],
      event.headers['webhook-signature'],
    ].join(' ');
    accepts({
      ...event,
      headers: { ...event.headers, 'webhook-signature': both },
    });
  });

  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])(
    'refuses an event with another %s, a broken one, or none',
    (name) => {
      const event = signedEvent(EVENT, { key: KEY });
      const other = signedEvent(EVENT, { key: KEY, offset: 1 }).headers[name];
      for (const value of [other, 'nonsense', ' ', ','])
        refuses({ ...event, headers: { ...event.headers, [name]: value } });
      const { [name]: _, ...rest } = event.headers;
      refuses({ ...event, headers: rest });
    },
  );

  it('returns the same error whatever is wrong', () => {
    const event = signedEvent(EVENT, { key: KEY });
    const detail = (wrong: SignedEvent): unknown => {
      try {
        return verify(wrong, secretOf(KEY));
      } catch (error) {
        return (error as Error).message;
      }
    };
    const details = [
      detail({ ...event, headers: {} }),
      detail({ ...event, body: '' }),
      detail(signedEvent(EVENT, { key: KEY, offset: 999 })),
      detail(signedEvent(EVENT, { key: OLD_KEY })),
    ];
    expect(new Set(details)).toEqual(
      new Set([expect.stringContaining('OPENAI_WEBHOOK_SECRET')]),
    );
  });
});
