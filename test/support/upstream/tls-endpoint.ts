import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { createServer } from 'node:tls';

/** Of `endpoint.test`, signed by itself. */
export const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBbTCCAROgAwIBAgIBATAKBggqhkjOPQQDAjAYMRYwFAYDVQQDDA1lbmRwb2lu
dC50ZXN0MCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAwWjAYMRYwFAYD
VQQDDA1lbmRwb2ludC50ZXN0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEdNU0
1FcCjrOIkSzlvKtNrd91w/4YvLGoGmJo+6uR+TKzDi38ofGApfEVzGE99p2owdf5
gJzXiiM8qMfeQ3csfaNMMEowGAYDVR0RBBEwD4INZW5kcG9pbnQudGVzdDAPBgNV
HRMBAf8EBTADAQH/MB0GA1UdDgQWBBTslEmgLte1Qu89ozuq9E26k5DukzAKBggq
hkjOPQQDAgNIADBFAiEA9kZDkVwivJFyduGF1AZehabR2fhR+8EIwjlGPE3G0g0C
IAqDn9N0e2f7lmd20OIXwazwFKJ/5Y3h5GJpBvzdtpzY
-----END CERTIFICATE-----
`;
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgewbfGHIDoiQFpVg2
oC3CmOgeebLq6PA27WIkox3f6RqhRANCAAR01TTUVwKOs4iRLOW8q02t33XD/hi8
sagaYmj7q5H5MrMOLfyh8YCl8RXMYT32najB1/mAnNeKIzyox95Ddyx9
-----END PRIVATE KEY-----
`;

/** Ends the TLS of connections to `https://endpoint.test`, and passes their contents on to a port of the loopback. */
export async function tlsEndpoint(port: number) {
  const server = createServer({ cert: CERTIFICATE, key: KEY }, (near) => {
    const far = connect(port, '127.0.0.1');
    near.on('error', () => far.destroy());
    far.on('error', () => near.destroy());
    near.pipe(far).pipe(near);
  });
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: () => void server.close(),
  };
}
