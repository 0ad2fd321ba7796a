import { Injectable } from '@nestjs/common';
import type { Checker } from '../../../src/tools/guardrails/guardrail';
import {
  InputGuardrail,
  OutputGuardrail,
} from '../../../src/tools/guardrails/guardrail.decorator';
import { Tripwire } from '../../../src/tools/guardrails/tripwire';

/** Rejects the word `magpie` in requests to a model. */
@InputGuardrail({ name: 'birds' })
@Injectable()
export class BirdsGuardrail implements Checker {
  check(text: string) {
    if (/magpie/.test(text)) throw new Tripwire('No birds.');
    return text;
  }
}

/** Rejects the word `hawk` in arguments of tools, and redacts `wren`. */
@InputGuardrail({ name: 'calls', tools: ['write_*', 'deep_research'] })
@Injectable()
export class CallsGuardrail implements Checker {
  check(text: string) {
    if (/hawk/.test(text)) throw new Tripwire('No calls.');
    return text.replace(/wren/g, '[bird]');
  }
}

/** The same for results of tools, with the words that occur in them. */
@OutputGuardrail({ name: 'news', tools: ['find', 'say', 'deep_research'] })
@Injectable()
export class NewsGuardrail implements Checker {
  check(text: string) {
    if (/no owl|owl owl/.test(text)) throw new Tripwire('No news.');
    return text.replace(/no crow|crow crow|garlic/g, '[news]');
  }
}

@InputGuardrail({ name: 'broken' })
@Injectable()
export class BrokenGuardrail implements Checker {
  check(text: string) {
    if (/raven/.test(text)) throw new Error(`sk-guardrail-secret in ${text}`);
    return text;
  }
}
