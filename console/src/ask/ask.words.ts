import { words } from '../i18n/language';

export const askWords = words({
  en: {
    title: 'What should be researched?',
    question: 'Question',
    placeholder: 'A question, complete in itself. The more exact, the better.',
    examples: 'The sandbox has pages on, for example:',
    options: 'Options',
    depth: 'Depth',
    engine: 'Engine',
    format: 'Format',
    formats: {
      markdown_brief: 'Short answer',
      markdown_report: 'Report with sections',
      json_outline: 'Outline as JSON',
    },
    sources: 'Sources',
    sourceNames: {
      web: 'The web',
      private: 'Private sources',
      web_then_private: 'The web, then private sources',
      web_and_private: 'Both at once',
    },
    budget: 'Most it may cost, in US dollars',
    noBudget: 'no limit',
    review: 'Show me the plan before anything is searched',
    documents: 'Your own documents',
    drop: 'Drop PDF, Word (DOCX) or text files here, or choose them: 3 MB in all, 1 MB for a text',
    choose: 'Choose files',
    notText: (name: string) =>
      `${name} is of a type that is not read. PDF, Word (DOCX), text, Markdown, CSV, JSON and HTML are.`,
    tooLarge: (name: string, megabytes: number) =>
      `${name} is larger than ${megabytes} MB.`,
    tooMany: (name: string, megabytes: number) =>
      `With ${name} the documents are larger than ${megabytes} MB in all.`,
    remove: (name: string) => `Remove ${name}`,
    lost: (names: string) =>
      `There was no room to keep your documents; choose them again: ${names}`,
    cut: 'Only the first 1,000 characters of this question are on record.',
    follows: 'This follows up an earlier report.',
    start: 'Start',
    depths: {
      quick: 'A few sources, a short answer',
      standard: 'Several directions, a report',
      deep: 'Many sources, gaps closed in rounds',
    },
    depthAbout: 'Without a choice the service decides by the question.',
    usually: (what: string) => `usually ${what}`,
    atMost: (what: string) => `at most ${what}`,
    minutes: (minutes: number) => `${minutes} min`,
    left: (amount: string) => `${amount} of the budget is left`,
  },
  ko: {
    title: '무엇을 조사할까요?',
    question: '질문',
    placeholder: '그 자체로 완결된 질문을 적어 주세요. 구체적일수록 좋습니다.',
    examples: '샌드박스에 있는 자료의 예:',
    options: '설정',
    depth: '깊이',
    engine: '조사 방법',
    format: '형식',
    formats: {
      markdown_brief: '짧은 답변',
      markdown_report: '절로 나눈 보고서',
      json_outline: 'JSON 개요',
    },
    sources: '자료',
    sourceNames: {
      web: '웹',
      private: '내부 자료',
      web_then_private: '웹, 그다음 내부 자료',
      web_and_private: '웹과 내부 자료 함께',
    },
    budget: '최대 비용 (미국 달러)',
    noBudget: '한도 없음',
    review: '검색하기 전에 계획을 먼저 보여 주세요',
    documents: '내 문서',
    drop: 'PDF, Word(DOCX), 텍스트 파일을 여기에 놓거나 선택하세요. 모두 합해 3 MB, 텍스트는 1 MB까지입니다',
    choose: '파일 선택',
    notText: (name: string) =>
      `${name}은(는) 읽을 수 없는 형식입니다. PDF, Word(DOCX), 텍스트, Markdown, CSV, JSON, HTML을 읽을 수 있습니다.`,
    tooLarge: (name: string, megabytes: number) =>
      `${name}은(는) ${megabytes} MB보다 큽니다.`,
    tooMany: (name: string, megabytes: number) =>
      `${name}까지 더하면 문서가 모두 ${megabytes} MB보다 큽니다.`,
    remove: (name: string) => `${name} 빼기`,
    lost: (names: string) =>
      `문서를 보관할 공간이 없었습니다. 다시 선택해 주세요: ${names}`,
    cut: '기록에는 이 질문의 처음 1,000자만 남아 있습니다.',
    follows: '이전 보고서에 이어지는 질문입니다.',
    start: '조사 시작',
    depths: {
      quick: '자료 몇 개로 짧은 답변',
      standard: '여러 방향을 살핀 보고서',
      deep: '많은 자료, 빠진 부분까지 거듭 보완',
    },
    depthAbout: '고르지 않으면 질문에 따라 서비스가 정합니다.',
    usually: (what: string) => `보통 ${what}`,
    atMost: (what: string) => `최대 ${what}`,
    minutes: (minutes: number) => `${minutes}분`,
    left: (amount: string) => `남은 예산 ${amount}`,
  },
});
