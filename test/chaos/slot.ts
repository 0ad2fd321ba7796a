import { Service } from '../support/service';

/** The place of one process, which may be another process after a fault. What befalls a place happens in turn. */
export class Slot {
  private service?: Service;
  private turn: Promise<void> = Promise.resolve();
  private readonly expected = new Set<Service>();
  readonly services: Service[] = [];
  /** What a process has done that nothing asked for. */
  readonly mishaps: string[] = [];

  constructor(
    private readonly entry: 'main' | 'worker',
    private readonly env: Record<string, string>,
  ) {}

  /** Of the latest process, also while it is dead. */
  get url(): string {
    return this.service!.url;
  }

  inTurn(action: () => Promise<void>): Promise<void> {
    this.turn = this.turn.then(action).catch((error: unknown) => {
      this.mishaps.push(`${this.entry}: ${String(error)}`);
    });
    return this.turn;
  }

  async start(): Promise<void> {
    const service = Service.spawn(this.entry, this.env);
    this.services.push(service);
    void service.end().then((code) => {
      if (!this.expected.has(service))
        this.mishaps.push(`${this.entry} exited by itself with ${code}`);
    });
    const ready =
      this.entry === 'main'
        ? /listening on (http:[^\s"]+)/
        : /Sonde is (working)/;
    service.url = await service.says(ready);
    this.service = service;
  }

  async kill(): Promise<void> {
    await this.end('SIGKILL');
  }

  /** A fresh process takes the place before the old one is told to leave. */
  async replace(): Promise<number | null> {
    const old = this.service!;
    await this.start();
    this.expected.add(old);
    return old.stop('SIGTERM');
  }

  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.service!.signal(signal);
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    this.expected.add(this.service!);
    await this.service!.stop(signal);
  }
}
