import { safeLink } from '../ui/safe-link';
import { Answer } from './answer';
import { chatWords } from './chat.words';
import type { Turn } from './conversation';
import { ToolCalls } from './tool-calls';

/** What was asked, what was called for it, and what was answered. */
export function TurnView({ turn }: { turn: Turn }) {
  return (
    <>
      <Said text={turn.question} />
      <ToolCalls calls={turn.calls} />
      <div class="answer">
        <Words turn={turn} />
      </div>
    </>
  );
}

export function Said({ text }: { text: string }) {
  return (
    <p class="said">
      <span class="hidden-text">{chatWords().you}: </span>
      {text}
    </p>
  );
}

/** The answer with its citations, and the pages of the research that it rests on. */
export function Words({
  turn: { answer, citations, sources },
}: {
  turn: Turn;
}) {
  if (answer === '') return null;
  return (
    <>
      <Answer text={answer} citations={citations} />
      {sources.length > 0 && (
        <details class="tiny">
          <summary>
            {chatWords().sources} <span class="num">{sources.length}</span>
          </summary>
          <ul>
            {sources.map(({ url, title }) => {
              const link = safeLink(url);
              return (
                <li key={url}>
                  {link === null ? (
                    title
                  ) : (
                    <a
                      href={link}
                      target="_blank"
                      rel="noopener noreferrer nofollow"
                    >
                      {title}
                    </a>
                  )}
                </li>
              );
            })}
          </ul>
        </details>
      )}
    </>
  );
}
