import type { Article } from './article';

const keywords =
  'durable execution workflow engine event sourcing replay Temporal 내구 실행 듀러블 워크플로 워크플로우 재실행';

export const durableExecution: Article[] = [
  {
    topic: 'durable-execution',
    lang: 'ko',
    url: 'https://sandbox.example/ko/durable-execution',
    title: '내구 실행: 죽어도 이어지는 프로그램',
    keywords,
    paragraphs: [
      '내구 실행은 프로그램의 진행 상황을 밖에 적어 두어, 프로세스가 죽어도 다른 프로세스가 멈춘 자리에서 이어 가게 하는 방식입니다. 몇 분에서 몇 달까지 걸리는 업무 흐름에 쓰입니다.',
      '흔한 구현은 단계마다 결과를 사건 기록에 남기고, 되살아날 때 코드를 처음부터 다시 돌리되 이미 끝난 단계는 기록된 결과로 대신하는 것입니다. 그래서 흐름 코드는 결정적이어야 하고, 시각이나 난수도 기록을 거쳐야 합니다.',
      '바깥 세계에 미치는 효과는 적어도 한 번 일어날 수 있습니다. 정확히 한 번처럼 보이게 하려면 멱등 열쇠로 중복을 걸러야 합니다.',
    ],
  },
  {
    topic: 'durable-execution',
    lang: 'en',
    url: 'https://sandbox.example/en/durable-execution',
    title: 'Durable execution: programs that outlive their process',
    keywords,
    paragraphs: [
      'Durable execution keeps the progress of a program outside of it, so that another process can go on where a dead one stopped. It is used for workflows that last from minutes to months.',
      'A common design records the result of every step in an event history. On recovery the code runs again from the start, and finished steps return their recorded results; so the workflow code has to be deterministic, and even the clock and random numbers pass through the record.',
      'Effects on the outside world may happen more than once. Making them look like exactly once takes idempotency keys, with which the other side drops repetitions.',
    ],
  },
];
