import { Service } from '../../support/processes/service';

/** How a stopped process exited. */
export interface Exit {
  code: number | null;
  fromMs: number;
  toMs: number;
  lastWords: string;
}

/** The slot of one process, which a fault may replace by another. Faults of a slot strike one after the other. */
export class Slot {
  private service?: Service;
  private turn: Promise<void> = Promise.resolve();
  private readonly expected = new Set<Service>();
  readonly services: Service[] = [];
  /** Unexpected exits and errors. */
  readonly incidents: string[] = [];

  constructor(
    private readonly entry: 'main' | 'worker',
    private readonly env: Record<string, string>,
    private readonly onStart: (url: string) => Promise<void>,
  ) {}

  /** Of the latest process, also while it is dead. */
  get url(): string {
    return this.service!.url;
  }

  inTurn(action: () => Promise<void>): Promise<void> {
    this.turn = this.turn.then(action).catch((error: unknown) => {
      this.incidents.push(`${this.entry}: ${String(error)}`);
    });
    return this.turn;
  }

  async start(): Promise<void> {
    const service = Service.spawn(this.entry, this.env);
    this.services.push(service);
    void service.end().then((code) => {
      if (!this.expected.has(service))
        this.incidents.push(
          `${this.entry} exited by itself with ${code}: ${lastWords(service)}`,
        );
    });
    const ready =
      this.entry === 'main'
        ? /listening on (http:[^\s"]+)/
        : /Sonde is (working)/;
    service.url = await service.waitForOutput(ready);
    this.service = service;
    await this.onStart(service.url);
  }

  async kill(): Promise<void> {
    this.strikeDead();
    await this.service!.end();
  }

  /** Kills it without waiting for anything. */
  strikeDead(): void {
    this.expected.add(this.service!);
    this.service!.signal('SIGKILL');
  }

  /** A new process takes the slot before the old one is stopped. */
  async replace(): Promise<Exit> {
    const old = this.service!;
    await this.start();
    this.expected.add(old);
    const fromMs = Date.now();
    const code = await old.stop('SIGTERM');
    return { code, fromMs, toMs: Date.now(), lastWords: lastWords(old) };
  }

  signal(signal: 'SIGSTOP' | 'SIGCONT' | 'SIGUSR2'): void {
    this.service!.signal(signal);
  }
}

function lastWords({ output }: Service): string {
  return output.trimEnd().split('\n').slice(-2).join(' ').slice(-400);
}
