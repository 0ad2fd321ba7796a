import { after, afterEach, before } from 'node:test';
import { ModelClient, SondeClient } from '../../dist/index.js';
import { startProxy, type Proxy } from './proxy.ts';
import { post, startStand, type Stand } from './stand.ts';

export const QUESTION = '짜장면의 역사를 자세히 알려줘';
/** A model response that never ends. */
export const STAY = { kind: 'stay', status: 'in_progress', count: 0 };

/** The service and both clients for the tests of one suite, with a record of the requests sent. */
export class Service {
  stand!: Stand;
  relay!: Proxy;
  endpoint!: Proxy;
  sonde!: SondeClient;
  model!: ModelClient;

  constructor() {
    before(() => this.start());
    after(() => this.close());
    afterEach(() => post(`${this.stand.model}/sandbox/reset`));
  }

  fault(fault: object): Promise<void> {
    return post(`${this.stand.model}/sandbox/faults`, fault);
  }

  private async start(): Promise<void> {
    this.stand = await startStand({ STAND_API_KEYS: 'true' });
    this.relay = await startProxy(this.stand.relay);
    this.endpoint = await startProxy(this.stand.model);
    const { relay, endpoint } = this;
    this.sonde = new SondeClient({ baseUrl: relay.url, apiKey: 'sk-stand' });
    this.model = new ModelClient({ baseUrl: endpoint.url, apiKey: 'sk-model' });
  }

  private async close(): Promise<void> {
    await this.relay.close();
    await this.endpoint.close();
    await this.stand.close();
  }
}
