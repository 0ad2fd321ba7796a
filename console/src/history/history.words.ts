import { words } from '../i18n/language';

export const historyWords = words({
  en: {
    title: 'History',
    research: 'Research',
    chats: 'Chats',
    kinds: 'What is listed',
    status: 'Status',
    any: 'Any status',
    search: 'Search questions and reports',
    question: 'Question',
    empty: 'Nothing here yet.',
    none: 'Nothing fits this search.',
    askFirst: 'Ask the first question',
    deleteTitle: 'Delete this entry?',
    deleteAbout:
      'Its record is removed at once and cannot be brought back. What goes on is cancelled.',
    untitled: 'Without a question',
    since: 'Begun',
    ages: {
      '': 'At any time',
      '1': 'In the last day',
      '7': 'In the last week',
      '30': 'In the last month',
    },
    kept: 'Records are kept for a limited time; a report says until when, and can be kept longer.',
  },
  ko: {
    title: '기록',
    research: '조사',
    chats: '대화',
    kinds: '기록의 종류',
    status: '상태',
    any: '모든 상태',
    search: '질문과 보고서에서 찾기',
    question: '질문',
    empty: '아직 기록이 없습니다.',
    none: '찾는 기록이 없습니다.',
    askFirst: '첫 질문 하기',
    deleteTitle: '이 기록을 삭제할까요?',
    deleteAbout:
      '기록이 바로 지워지며 되돌릴 수 없습니다. 진행 중이면 취소됩니다.',
    untitled: '질문 없음',
    since: '시작',
    ages: {
      '': '전체 기간',
      '1': '최근 하루',
      '7': '최근 일주일',
      '30': '최근 한 달',
    },
    kept: '기록은 정해진 기간 동안만 보관됩니다. 보고서마다 기한이 적혀 있고, 더 오래 보관할 수 있습니다.',
  },
});
