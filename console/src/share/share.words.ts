import { words } from '../i18n/language';

export const shareWords = words({
  en: {
    share: 'Share',
    title: 'Share this report',
    about:
      'Whoever has the link reads the report and its sources without a key, and nothing else.',
    lifetime: 'The link opens the report',
    lifetimes: {
      86_400: 'for a day',
      604_800: 'for a week',
      2_592_000: 'for 30 days',
      7_776_000: 'for 90 days',
    },
    make: 'Make a link',
    made: 'The new link, shown only here and only once',
    copy: 'Copy the shared link',
    links: 'Links of this report',
    none: 'It has none.',
    until: (time: string) => `until ${time}`,
    revoke: 'Revoke',
    revokeAll: 'Revoke all links',
    revokeAllTitle: 'Revoke all links of this report?',
    revokeAllAbout: 'None of them opens the report any more.',
    sharedUntil: (time: string) => `This link opens it until ${time}`,
    wayOut:
      'A link ends after some time, or when it is revoked. Ask whoever sent it for another.',
    start: 'To the start page',
  },
  ko: {
    share: '공유',
    title: '이 보고서 공유',
    about:
      '링크가 있으면 누구나 키 없이 보고서와 출처를 읽습니다. 다른 것은 보이지 않습니다.',
    lifetime: '링크가 유효한 기간',
    lifetimes: {
      86_400: '하루',
      604_800: '일주일',
      2_592_000: '30일',
      7_776_000: '90일',
    },
    make: '링크 만들기',
    made: '새 링크 (여기에서 한 번만 보입니다)',
    copy: '공유 링크 복사',
    links: '이 보고서의 링크',
    none: '없습니다.',
    until: (time: string) => `${time}까지`,
    revoke: '폐기',
    revokeAll: '모든 링크 폐기',
    revokeAllTitle: '이 보고서의 링크를 모두 폐기할까요?',
    revokeAllAbout: '어느 링크로도 보고서를 열 수 없게 됩니다.',
    sharedUntil: (time: string) => `이 링크는 ${time}까지 열립니다`,
    wayOut:
      '링크는 기한이 지나거나 폐기되면 열리지 않습니다. 보낸 사람에게 새 링크를 부탁하세요.',
    start: '첫 화면으로',
  },
});
