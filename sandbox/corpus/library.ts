import type { Article } from './articles/article';
import { bts } from './articles/bts';
import { durableExecution } from './articles/durable-execution';
import { haenyeo } from './articles/haenyeo';
import { hangul } from './articles/hangul';
import { jajangmyeonEn } from './articles/jajangmyeon.en';
import { jajangmyeonKo } from './articles/jajangmyeon.ko';
import { kimchi } from './articles/kimchi';
import { redisQueues } from './articles/redis-queues';
import { serverSentEvents } from './articles/server-sent-events';
import { solarEnergy } from './articles/solar-energy';
import { sourdough } from './articles/sourdough';
import { webhooks } from './articles/webhooks';

/** Every page of the corpus. */
export const library: Article[] = [
  ...jajangmyeonKo,
  ...jajangmyeonEn,
  ...hangul,
  ...kimchi,
  ...haenyeo,
  ...bts,
  ...redisQueues,
  ...durableExecution,
  ...serverSentEvents,
  ...webhooks,
  ...solarEnergy,
  ...sourdough,
];
