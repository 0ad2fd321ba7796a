import { connect } from 'node:net';

/** `away`: nobody listens. `busy`: somebody does, but cannot serve yet or any more. */
export type SocketState = 'away' | 'busy' | 'ready';

const ANSWER_MS = 1_000;

/** Asks what listens on a Unix socket whether it is a Redis that serves. */
export function probeSocket(path: string): Promise<SocketState> {
  return new Promise((resolve) => {
    const socket = connect(path);
    let connected = false;
    const settle = (state: SocketState): void => {
      socket.destroy();
      resolve(state);
    };
    socket.setTimeout(ANSWER_MS, () => settle('busy'));
    socket.on('connect', () => {
      connected = true;
      socket.write('PING\r\n');
    });
    socket.on('data', (reply) =>
      settle(reply.toString().startsWith('+PONG') ? 'ready' : 'busy'),
    );
    socket.on('error', () => settle(connected ? 'busy' : 'away'));
    socket.on('end', () => settle('busy'));
  });
}
