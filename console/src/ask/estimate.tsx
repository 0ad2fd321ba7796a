import { named } from '../i18n/language';
import { useEffect, useState } from 'preact/hooks';
import { api, read, type Schemas } from '../api/client';
import { common } from '../i18n/common.words';
import { count, money } from '../i18n/format';
import { askWords } from './ask.words';
import type { ResearchArguments } from './draft';

/** From the last change of the form to the question. */
const PAUSE_MS = 400;

type Estimate = Schemas['RunEstimateDto'];

/** What a run with these options would take, before it is begun; nothing where they are not valid. */
export function EstimateNote({ args }: { args: ResearchArguments }) {
  const [estimate, setEstimate] = useState<Estimate>();
  const sent = optionsOf(args);
  const content = JSON.stringify(sent);
  useEffect(() => {
    let isCurrent = true;
    const timer = setTimeout(() => {
      estimateOf(sent).then(
        (found) => isCurrent && setEstimate(found),
        () => isCurrent && setEstimate(undefined),
      );
    }, PAUSE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [content]);
  return (
    <div class="estimate muted tiny num" aria-live="polite">
      {estimate && <Parts estimate={estimate} />}
    </div>
  );
}

/** The estimate does not depend on the words of the question and the documents, which may be long. */
function optionsOf(args: ResearchArguments): ResearchArguments {
  const { documents } = args;
  return {
    ...args,
    research_question: '?',
    ...(documents && {
      documents: documents.map(() => ({ title: '?', text: '?' })),
    }),
  };
}

async function estimateOf(args: ResearchArguments): Promise<Estimate> {
  return (await read(
    api.POST('/api/v1/tool-invocations/estimate', {
      body: { tool_name: 'deep_research', arguments: { ...args } },
    }),
  ))!;
}

function Parts({ estimate: found }: { estimate: Estimate }) {
  const w = askWords();
  const c = common();
  const { engine, estimate, budget_left } = found;
  const left = budget_left?.day_usd ?? budget_left?.month_usd;
  const parts = [
    named(c.engine, engine),
    ...(estimate
      ? [
          `${c.searches} ${count(estimate.searches)}`,
          `${c.pages} ${count(estimate.pages)}`,
          w.about(estimate.minutes),
          estimate.cost_usd === null ? c.unknownCost : money(estimate.cost_usd),
        ]
      : []),
    ...(left == null ? [] : [w.left(money(left))]),
  ];
  return (
    <p>
      {w.estimate}: {parts.join(' · ')}
    </p>
  );
}
