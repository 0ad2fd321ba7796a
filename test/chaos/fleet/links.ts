import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Stand } from '../../support/processes/stand';
import type { FaultPlan, LinkPlan } from '../faults';
import { Link, type Place } from './link';

type LinkFault = Extract<
  FaultPlan,
  { kind: 'reset_link' | 'refuse_link' | 'stall_link' | 'drip_link' }
>;

/** Below the ephemeral ports of the system, so that a port that is closed for a while stays free. */
const PORTS = [10_000, 30_000] as const;

/** The links of those processes that a fault of the schedule interrupts; all others are connected directly. */
export class Links {
  private readonly directory = mkdtempSync(join(tmpdir(), 'sonde-links-'));
  private readonly links = new Map<string, Link>();
  private readonly envs = new Map<string, Record<string, string>>();

  static async open(plans: LinkPlan[], stand: Stand): Promise<Links> {
    const links = new Links();
    for (const plan of plans)
      if (!links.links.has(nameOf(plan))) await links.add(plan, stand);
    return links;
  }

  /** The environment that routes a process over its links. */
  env(of: LinkPlan['of'], slot: number): Record<string, string> {
    return this.envs.get(`${of}-${slot}`) ?? {};
  }

  get(plan: LinkPlan): Link {
    return this.links.get(nameOf(plan))!;
  }

  strike(fault: LinkFault): Promise<void> {
    const link = this.get(fault.link);
    return link.inTurn(() => {
      switch (fault.kind) {
        case 'reset_link':
          return link.reset();
        case 'refuse_link':
          return link.refuse(fault.forMs);
        case 'stall_link':
          return link.stall(fault.forMs, fault.breaks);
        case 'drip_link':
          return link.drip(fault.forMs);
      }
    });
  }

  async close(): Promise<void> {
    await Promise.all([...this.links.values()].map((link) => link.close()));
    rmSync(this.directory, { recursive: true, force: true });
  }

  private async add(plan: LinkPlan, stand: Stand): Promise<void> {
    const process = `${plan.of}-${plan.slot}`;
    const env = this.envs.get(process) ?? {};
    this.envs.set(process, env);
    if (plan.to === 'redis') {
      const path = join(this.directory, `${process}.sock`);
      const there = { path: new URL(stand.redis.url).pathname };
      this.links.set(nameOf(plan), (await Link.open({ path }, there))!);
      env.REDIS_URL = `unix://${path}`;
    } else {
      const { hostname: host, port } = new URL(stand.env.LITELLM_BASE_URL);
      const [link, here] = await openAnywhere({ host, port: Number(port) });
      this.links.set(nameOf(plan), link);
      env.LITELLM_BASE_URL = `http://${here.host}:${here.port}`;
    }
  }
}

async function openAnywhere(there: Place) {
  for (;;) {
    const here = { host: '127.0.0.1', port: randomInt(...PORTS) };
    const link = await Link.open(here, there);
    if (link) return [link, here] as const;
  }
}

function nameOf({ of, to, slot }: LinkPlan): string {
  return `${of}-${slot} to ${to}`;
}
