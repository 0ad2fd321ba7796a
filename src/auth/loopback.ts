import type { FastifyRequest } from 'fastify';
import { isLoopback } from '../config/loopback';

const ADDRESS = /^(::1|(::ffff:)?127(\.\d{1,3}){3})$/i;
/** A sender of one of these speaks for another client. */
const FORWARDING =
  /^(forwarded|via|x-forwarded(-.+)?|x-real-ip|x-original-.+|x-client-ip|x-cluster-client-ip|true-client-ip|cf-connecting-ip)$/;

/**
 * Whether a program on this machine sent the request, to a loopback name: neither another machine, nor a reverse proxy, nor a
 * web page whose own name leads to 127.0.0.1.
 */
export function cameByLoopback({
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
