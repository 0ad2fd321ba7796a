import { connect } from 'node:net';

/** `closed`: no server listens. `busy`: a server listens, but cannot serve now. */
export type SocketState = 'closed' | 'busy' | 'ready';

const RESPONSE_TIMEOUT_MS = 1_000;

/** Checks whether a serving Redis listens on a Unix socket. */
export function probeSocket(path: string): Promise<SocketState> {
  return new Promise((resolve) => {
    const socket = connect(path);
    let connected = false;
    const settle = (state: SocketState): void => {
      socket.destroy();
      resolve(state);
    };
    socket.setTimeout(RESPONSE_TIMEOUT_MS, () => settle('busy'));
    socket.on('connect', () => {
      connected = true;
      socket.write('PING\r\n');
    });
    socket.on('data', (reply) =>
      settle(reply.toString().startsWith('+PONG') ? 'ready' : 'busy'),
    );
    socket.on('error', () => settle(connected ? 'busy' : 'closed'));
    socket.on('end', () => settle('busy'));
  });
}
