import type { Schemas } from '../api/client';
import { service } from '../api/session';
import { words } from '../i18n/language';

type Checks = Schemas['Readiness']['checks'];

const text = words({
  en: {
    title: 'What this service still needs',
    model:
      'A model. Until one is set the built-in sandbox answers, which knows a few topics alone:',
    endpoint: 'A model endpoint that answers. What is set cannot be used:',
    search:
      'A search. Without one, reports are what the model knows by itself:',
    workers: 'A worker that carries out what is asked.',
    where: 'In the file .env of the service, which is then started again.',
  },
  ko: {
    title: '이 서비스에 아직 필요한 것',
    model:
      '모델. 설정하기 전에는 몇 가지 주제만 아는 내장 샌드박스가 답합니다.',
    endpoint: '응답하는 모델 엔드포인트. 지금 설정으로는 쓸 수 없습니다.',
    search: '검색. 없으면 보고서는 모델이 아는 내용뿐입니다.',
    workers: '요청을 실행할 작업 프로세스.',
    where: '서비스의 .env 파일에 적고 서비스를 다시 시작합니다.',
  },
});

const MODEL = 'LITELLM_BASE_URL=…\nLITELLM_API_KEY=…\nLITELLM_MODEL=…';
const SEARCH = 'RELAY_SEARCH=searxng:http://…';
/** A command, where the others are settings. */
const WORKER = 'npm run start:worker';

/** Names what is missing, and how it is set; nothing at a service that is complete. */
export function FirstRun({ checks }: { checks: Checks | undefined }) {
  const w = text();
  if (!checks) return null;
  const fails = (name: string): boolean => checks[name]?.status === 'failed';
  const needs = [
    service.value?.topics
      ? ([w.model, MODEL] as const)
      : (fails('upstream') || fails('models')) &&
        ([w.endpoint, MODEL] as const),
    !service.value?.topics &&
      !checks.search &&
      isPlain(checks) &&
      ([w.search, SEARCH] as const),
    fails('queue') && ([w.workers, WORKER] as const),
  ].filter((one) => one !== false);
  if (needs.length === 0) return null;
  return (
    <details class="card first-run" open={!service.value?.topics}>
      <summary>{w.title}</summary>
      <ul>
        {needs.map(([what, how]) => (
          <li key={what}>
            {what}
            <pre class="text tiny">
              <code>{how}</code>
            </pre>
          </li>
        ))}
      </ul>
      {needs.some(([, how]) => how !== WORKER) && (
        <p class="muted tiny">{w.where}</p>
      )}
    </details>
  );
}

/** Research without any search, as the check of the engine says it. */
function isPlain({ research }: Checks): boolean {
  return /\bplain\b/.test(research?.detail ?? '');
}
