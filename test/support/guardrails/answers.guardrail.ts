import { Injectable } from '@nestjs/common';
import type { Checker } from '../../../src/tools/guardrails/guardrail';
import { OutputGuardrail } from '../../../src/tools/guardrails/guardrail.decorator';
import { Tripwire } from '../../../src/tools/guardrails/tripwire';

/** The first of two that change an answer. */
@OutputGuardrail({ name: 'answers' })
@Injectable()
export class AnswersGuardrail implements Checker {
  check(text: string) {
    if (/heron/.test(text)) throw new Tripwire('No herons.');
    return text.replace(/stork/g, 'crane').replace(/garlic/g, '[beings]');
  }
}

/** Receives the output of the first. */
@OutputGuardrail({ name: 'later-answers' })
@Injectable()
export class LaterAnswersGuardrail implements Checker {
  async check(text: string) {
    return text.replace(/crane/g, '[bird]');
  }
}

@OutputGuardrail({ name: 'broken-answers' })
@Injectable()
export class BrokenAnswersGuardrail implements Checker {
  check(text: string) {
    if (/raven/.test(text)) throw new Error(`sk-guardrail-secret in ${text}`);
    return text;
  }
}
