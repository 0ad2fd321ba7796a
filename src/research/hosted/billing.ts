import { Injectable } from '@nestjs/common';
import type { Cost } from '../../runs/record/run';
import { storedObject } from '../../runs/record/stored-fields';
import type { Finish } from '../../runs/store/run-claim';
import { ResearchProtocols } from './protocol-registry';
import type { HostedRunWriter } from './record/hosted-run-writer';
import { UnreportedCost } from './unreported-cost';

/** Sees to it that no run that was bought ends without a cost, as far as its model has a price. */
@Injectable()
export class HostedBilling {
  constructor(
    private readonly protocols: ResearchProtocols,
    private readonly unreported: UnreportedCost,
  ) {}

  /** The end of a run with what it is taken to have cost, if it was bought and its endpoint has not said. */
  async billed(finish: Finish, writer: HostedRunWriter): Promise<Finish> {
    const { upstreamId, id, engine, text, steps } = writer;
    if (!upstreamId) return finish;
    const { background } = this.protocols.owning(upstreamId);
    const { model = writer.model, status, fields } = finish;
    const run = { id, engine, model: writer.model, background, text, steps };
    const reported = storedObject<Cost>(fields?.cost);
    if (reported && status === 'completed')
      await this.unreported.learn(run, reported);
    // Of a run that it has cancelled, an endpoint may report zeros.
    const isReported = status === 'completed' || Boolean(reported?.spent);
    const cost =
      isReported && reported ? reported : await this.unreported.of(run);
    const known = cost && { cost: JSON.stringify(cost) };
    return {
      ...finish,
      model: model || undefined,
      fields: { ...fields, ...known },
    };
  }
}
