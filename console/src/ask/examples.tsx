import { service } from '../api/session';
import { language } from '../i18n/language';
import { askWords } from './ask.words';

const SHOWN = 5;

/** Without a model the sandbox knows a few topics alone. */
export function Examples({ onChoose }: { onChoose: (text: string) => void }) {
  const isKorean = (text: string): boolean => /\p{Script=Hangul}/u.test(text);
  const topics = (service.value?.topics ?? []).filter(
    (one) => isKorean(one) === (language.value === 'ko'),
  );
  if (topics.length === 0) return null;
  const step = Math.ceil(topics.length / SHOWN);
  return (
    <div class="examples">
      <p class="muted tiny">{askWords().examples}</p>
      {topics
        .filter((_, at) => at % step === 0)
        .map((topic) => (
          <button key={topic} type="button" onClick={() => onChoose(topic)}>
            {topic}
          </button>
        ))}
    </div>
  );
}
