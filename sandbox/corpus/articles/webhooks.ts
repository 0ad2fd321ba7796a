import type { Article } from './article';

const keywords =
  'webhook webhooks HMAC signature callback 웹훅 웹후크 서명 콜백';

export const webhooks: Article[] = [
  {
    topic: 'webhooks',
    lang: 'ko',
    url: 'https://sandbox.example/ko/webhooks',
    title: '웹훅: 서명과 중복 처리',
    keywords,
    paragraphs: [
      '웹훅은 어떤 일이 일어났을 때 서비스가 미리 등록된 주소로 HTTP 요청을 보내 알리는 방식입니다. 받는 쪽은 거듭 물어보지 않아도 됩니다.',
      '보낸 이를 확인하려면 본문과 시각을 비밀 열쇠로 HMAC 서명합니다. 받는 쪽은 받은 그대로의 본문으로 서명을 견주고, 너무 오래된 시각은 물리쳐 재전송 공격을 막습니다.',
      '배달은 적어도 한 번 이루어지므로 같은 알림이 두 번 오거나 순서가 바뀔 수 있습니다. 알림의 고유 번호로 중복을 거르고, 자세한 내용은 다시 조회해 확인하는 것이 안전합니다.',
    ],
  },
  {
    topic: 'webhooks',
    lang: 'en',
    url: 'https://sandbox.example/en/webhooks',
    title: 'Webhooks: signatures and repeated deliveries',
    keywords,
    paragraphs: [
      'With a webhook a service sends an HTTP request to a registered address when something happens, so that nobody has to keep asking.',
      'To prove who sent it, body and time are signed with a shared secret by HMAC. The receiver compares signatures over the raw body and refuses old timestamps, which stops replays.',
      'Deliveries are made at least once, so the same notice may come twice or out of order. It is safe to drop repetitions by the id of the notice and to fetch the details again.',
    ],
  },
];
