import { report } from './report';
import {
  type IpcSocketConnectOpts,
  Socket,
  type TcpSocketConnectOpts,
} from 'node:net';

interface Connecting {
  connect: (this: Socket, ...args: unknown[]) => Socket;
}

/** Logs on stderr each target that a process connects to: `connects to host:port`, or the path of a socket. */
const connecting = Socket.prototype as unknown as Connecting;
const { connect } = connecting;

connecting.connect = function (...args) {
  const [first] = Array.isArray(args[0]) ? (args[0] as unknown[]) : args;
  const { host, port, path } = first as Partial<TcpSocketConnectOpts> &
    Partial<IpcSocketConnectOpts>;
  report(`connects to ${path ?? `${host}:${port}`}`);
  return connect.apply(this, args);
};
