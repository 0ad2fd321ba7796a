import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

const USER = 'alice';
const PASSWORD = 'p%ss/word';
const CREDENTIALS = `Basic ${Buffer.from(`${USER}:${PASSWORD}`).toString('base64')}`;

/**
 * ⏎ A forward proxy on loopback that asks for a password, tunnels with CONNECT, and resolves the names that it is given:
 * each is a port of the loopback. `asked` has what it was asked for: `GET http://…` or `CONNECT host:port`.
 */
export class HttpProxy {
  readonly asked: string[] = [];
  /** The status of every reply, while it is set; `never`: there is none. */
  refusal?: number | 'never';
  private readonly sockets = new Set<Socket>();
  private readonly server = createServer((incoming, reply) =>
    this.forward(incoming, reply),
  )
    .on('connect', (incoming, near: Socket) => this.tunnel(incoming, near))
    .on('connection', (socket) => this.keep(socket));

  private constructor(private readonly ports: Record<string, number>) {}

  /** @param ports by host and port: `endpoint.test:443`. */
  static async start(ports: Record<string, number>): Promise<HttpProxy> {
    const proxy = new HttpProxy(ports);
    proxy.server.listen(0, '127.0.0.1');
    await once(proxy.server, 'listening');
    return proxy;
  }

  get host(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** With the credentials. */
  get url(): string {
    return `http://${USER}:${encodeURIComponent(PASSWORD)}@${this.host}`;
  }

  async stop(): Promise<void> {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await once(this.server, 'close');
  }

  private forward(incoming: IncomingMessage, reply: ServerResponse): void {
    const url = new URL(incoming.url!);
    const port = this.portOf(incoming, `${url.hostname}:${url.port || 80}`);
    if (port === undefined) return;
    if (port.status !== undefined) {
      reply.writeHead(port.status).end();
      return;
    }
    const { method, headers } = incoming;
    const path = url.pathname + url.search;
    const onward = request(
      { host: '127.0.0.1', port: port.number, method, path, headers },
      (answer) => {
        reply.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(reply);
      },
    );
    onward.on('error', () => reply.destroy());
    reply.on('close', () => onward.destroy());
    incoming.pipe(onward);
  }

  private tunnel(incoming: IncomingMessage, near: Socket): void {
    const port = this.portOf(incoming, incoming.url!);
    if (port === undefined) return;
    if (port.status !== undefined) {
      near.end(`HTTP/1.1 ${port.status} No\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    const far = this.keep(connect(port.number!, '127.0.0.1'));
    far.once('connect', () => near.write('HTTP/1.1 200 OK\r\n\r\n'));
    far.on('close', () => near.destroy());
    near.on('close', () => far.destroy());
    near.pipe(far).pipe(near);
  }

  /** Undefined: no reply. */
  private portOf(
    { method, url, headers }: IncomingMessage,
    target: string,
  ): { number?: number; status?: number } | undefined {
    this.asked.push(`${method} ${url}`);
    if (this.refusal === 'never') return undefined;
    if (this.refusal !== undefined) return { status: this.refusal };
    if (headers['proxy-authorization'] !== CREDENTIALS) return { status: 407 };
    const number = this.ports[target];
    return number === undefined ? { status: 502 } : { number };
  }

  private keep(socket: Socket): Socket {
    this.sockets.add(socket);
    socket.on('error', () => undefined);
    return socket.on('close', () => this.sockets.delete(socket));
  }
}
