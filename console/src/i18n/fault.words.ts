import { words } from './language';

/** What is wrong with a file, which the service says in English. */
export const fileFaultWords = words<Record<string, string>>({
  en: {},
  ko: {
    'has a password': '암호가 걸려 있습니다',
    'has no text (a scan needs text recognition)':
      '글자가 없습니다 (스캔한 문서는 문자 인식이 필요합니다)',
    'takes too much memory to be read': '읽는 데 메모리가 너무 많이 듭니다',
    'is damaged, or takes too long to be read':
      '손상되었거나 읽는 데 너무 오래 걸립니다',
    'is neither a PDF nor a DOCX': 'PDF도 DOCX도 아닙니다',
  },
});
