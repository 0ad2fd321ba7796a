import { errorWords } from '../i18n/error.words';
import { nameOf } from '../i18n/language';
import { hrefOf } from '../router';
import { StatusPill } from '../ui/status-pill';
import type { Call } from './conversation';
import { chatWords } from './chat.words';

/** What the model calls, as it happens. */
export function ToolCalls({ calls }: { calls: readonly Call[] }) {
  if (calls.length === 0) return null;
  const w = chatWords();
  return (
    <ul class="calls">
      {calls.map((call) => {
        const question = call.arguments?.research_question;
        const isResearch = call.tool_name === 'deep_research';
        const hasEnded = ['completed', 'incomplete'].includes(
          call.status ?? '',
        );
        return (
          <li key={call.call_id} class="card">
            <div class="row">
              <strong>
                {isResearch ? w.research : w.tool(call.tool_name)}
              </strong>
              {call.status && <StatusPill status={call.status} />}
              <span class="spacer" />
              {isResearch && call.invocation_id && (
                <a
                  href={hrefOf(hasEnded ? 'read' : 'watch', call.invocation_id)}
                >
                  {hasEnded ? w.report : w.watch}
                </a>
              )}
            </div>
            {typeof question === 'string' ? (
              <p>{question}</p>
            ) : (
              call.arguments && (
                <pre class="text tiny">
                  {JSON.stringify(call.arguments, null, 2).slice(0, 2_000)}
                </pre>
              )
            )}
            {call.error && (
              <p class="muted tiny">
                {nameOf(errorWords(), call.error.code) ?? call.error.message}
              </p>
            )}
            {!hasEnded && !call.error && call.detail && (
              <p class="muted tiny" aria-live="polite">
                {call.detail.replaceAll('**', '').slice(0, 300)}
              </p>
            )}
          </li>
        );
      })}
    </ul>
  );
}
