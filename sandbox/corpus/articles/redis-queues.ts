import type { Article } from './article';

const keywords =
  'BullMQ Redis queue durability AOF RDB job worker 레디스 큐 작업 대기열 내구성 불엠큐';

export const redisQueues: Article[] = [
  {
    topic: 'redis-queues',
    lang: 'ko',
    url: 'https://sandbox.example/ko/redis-queues',
    title: 'BullMQ와 Redis: 작업 큐의 내구성',
    keywords,
    paragraphs: [
      'BullMQ는 Redis 위에서 도는 Node.js 작업 큐입니다. 작업은 Redis 해시에 담기고, 대기, 활성, 지연, 완료, 실패 같은 상태마다 목록이나 정렬 집합이 있으며, 상태 사이의 이동은 Lua 스크립트로 한 번에 이루어집니다.',
      'Redis는 메모리에서 일하므로 내구성은 설정에 달려 있습니다. RDB는 시점마다 사본을 남기고, AOF는 쓰기 명령을 차례로 적습니다. appendfsync everysec이면 사고 때 약 1초 분량을, always이면 거의 아무것도 잃지 않는 대신 느려집니다.',
      '일꾼은 작업마다 잠금을 쥐고 주기적으로 늘립니다. 일꾼이 죽어 잠금이 풀리면 작업은 멈춘 것으로 여겨져 다시 대기열로 돌아가므로, 작업은 적어도 한 번 실행됩니다. 그래서 처리 코드는 두 번 실행되어도 괜찮아야 합니다.',
      'BullMQ가 쓰는 Redis는 maxmemory-policy가 noeviction이어야 합니다. 메모리가 모자랄 때 열쇠를 지우는 정책에서는 큐의 자료가 사라질 수 있기 때문입니다.',
    ],
  },
  {
    topic: 'redis-queues',
    lang: 'en',
    url: 'https://sandbox.example/en/redis-queues',
    title: 'BullMQ and Redis: how durable a job queue is',
    keywords,
    paragraphs: [
      'BullMQ is a job queue for Node.js on top of Redis. A job is a Redis hash; each state (waiting, active, delayed, completed, failed) is a list or a sorted set, and Lua scripts move jobs between states in one step.',
      'Redis works in memory, so durability depends on its settings. RDB takes snapshots at intervals; AOF appends every write. With appendfsync everysec a crash loses about one second of writes, with always next to nothing, at the price of speed.',
      'A worker holds a lock on its job and renews it. When the worker dies and the lock runs out, the job counts as stalled and returns to the queue: jobs run at least once, and so a processor must bear being run twice.',
      'The Redis under BullMQ needs maxmemory-policy noeviction. Any policy that evicts keys when memory is short may throw away parts of the queue.',
    ],
  },
];
