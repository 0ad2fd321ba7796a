import type { Article } from './article';
import { bts } from './bts';
import { durableExecution } from './durable-execution';
import { haenyeo } from './haenyeo';
import { hangul } from './hangul';
import { jajangmyeonEn } from './jajangmyeon.en';
import { jajangmyeonKo } from './jajangmyeon.ko';
import { kimchi } from './kimchi';
import { redisQueues } from './redis-queues';
import { serverSentEvents } from './server-sent-events';
import { solarEnergy } from './solar-energy';
import { sourdough } from './sourdough';
import { webhooks } from './webhooks';

/** Every page the sandbox can find. */
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
