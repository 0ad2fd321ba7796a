import type { FastifyRequest } from 'fastify';
import { isLoopback } from '../../config/addresses/loopback-address';

const ADDRESS = /^(::1|(::ffff:)?127(\.\d{1,3}){3})$/i;
/** Headers of a sender that forwards requests of other clients. */
const FORWARDING =
  /^(forwarded|via|x-forwarded(-.+)?|x-real-ip|x-original-.+|x-client-ip|x-cluster-client-ip|true-client-ip|cf-connecting-ip)$/;

/**
 * Whether a program on this machine sent the request to a loopback name: not another machine, not a reverse proxy, not
 * a web page whose own name resolves to 127.0.0.1.
 */
export function isFromLoopback({
  headers,
  raw,
}: Pick<FastifyRequest, 'headers' | 'raw'>): boolean {
  const name = (headers.host ?? '').replace(/:\d+$/, '');
  return (
    ADDRESS.test(raw.socket.remoteAddress ?? '') &&
    isLoopback(name) &&
    !Object.keys(headers).some((header) => FORWARDING.test(header))
  );
}
