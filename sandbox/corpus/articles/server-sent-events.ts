import type { Article } from './article';

const keywords =
  'SSE server-sent events EventSource event-stream streaming 서버 전송 이벤트 스트리밍 스트림';

export const serverSentEvents: Article[] = [
  {
    topic: 'server-sent-events',
    lang: 'ko',
    url: 'https://sandbox.example/ko/server-sent-events',
    title: '서버 전송 이벤트(SSE)의 형식과 재연결',
    keywords,
    paragraphs: [
      '서버 전송 이벤트(SSE)는 HTTP 응답 하나를 열어 둔 채 서버가 글자 사건을 차례로 보내는 방식입니다. 콘텐츠 형식은 text/event-stream이고, 인코딩은 언제나 UTF-8입니다.',
      '한 사건은 event, data, id, retry 줄로 이루어지고 빈 줄로 끝납니다. 쌍점으로 시작하는 줄은 주석이라 무시되므로, 중간 장비가 연결을 끊지 않게 하는 데 쓰입니다.',
      '브라우저의 EventSource는 연결이 끊기면 스스로 다시 잇고, 마지막으로 받은 id를 Last-Event-ID 머리말에 담아 보냅니다. 서버는 그 다음 사건부터 이어 보낼 수 있습니다.',
      'HTTP/1.1에서는 브라우저가 한 출처에 여는 연결이 여섯 개 안팎으로 제한되지만, HTTP/2에서는 한 연결에 여러 흐름이 실립니다.',
    ],
  },
  {
    topic: 'server-sent-events',
    lang: 'en',
    url: 'https://sandbox.example/en/server-sent-events',
    title: 'Server-sent events: format and reconnection',
    keywords,
    paragraphs: [
      'Server-sent events keep one HTTP response open while the server sends text events one after another. The content type is text/event-stream, and the encoding is always UTF-8.',
      'An event is made of event, data, id and retry lines and ends with an empty line. A line that begins with a colon is a comment; servers send one now and then so that proxies keep the connection open.',
      'The EventSource of a browser reconnects by itself and sends the last id it saw in the Last-Event-ID header, so that the server can go on with the next event.',
      'Over HTTP/1.1 browsers open about six connections to one origin; over HTTP/2 many streams share one connection.',
    ],
  },
];
