import { api, read, request } from '../api/client';
import { Choice } from '../ask/choice';
import { useLoaded } from '../ui/use-call';
import { chatWords } from './chat.words';
import type { ChatOptions } from './conversation';

export interface Offered {
  models: string[];
  tools: string[];
}

/** Models of the list that stand for research, and answer no chat. */
const RESEARCH = /^(o\d(-mini)?-deep-research|sonde-research)$/;
const NOTHING: Offered = { models: [], tools: [] };

/** What may be chosen; nothing where it cannot be read. */
export function useOffered(): Offered {
  return useLoaded(offered, []).data ?? NOTHING;
}

async function offered(): Promise<Offered> {
  const [models, tools] = await Promise.all([
    request('v1/models').then(
      (reply) => reply.json() as Promise<{ data: { id: string }[] }>,
    ),
    read(api.GET('/api/v1/tools')),
  ]);
  return {
    models: models.data.map(({ id }) => id).filter((id) => !RESEARCH.test(id)),
    tools: tools!.tools.map(({ name }) => name),
  };
}

/** The model that answers, and the tools it may call. */
export function ChatOptionFields({
  offered: { models, tools },
  options,
  onChange,
}: {
  offered: Offered;
  options: ChatOptions;
  onChange: (options: ChatOptions) => void;
}) {
  const w = chatWords();
  const { model, without } = options;
  return (
    <details class="options">
      <summary>{w.options}</summary>
      {models.length > 1 && (
        <Choice
          label={w.model}
          value={model || models[0]}
          values={models}
          names={{}}
          onChange={(next) =>
            onChange({ ...options, model: next === models[0] ? '' : next })
          }
        />
      )}
      <fieldset class="field">
        <legend>{w.tools}</legend>
        {tools.length === 0 && <p class="muted tiny">{w.noTools}</p>}
        {tools.map((name) => (
          <label key={name} class="check">
            <input
              type="checkbox"
              checked={!without.includes(name)}
              onChange={({ currentTarget: { checked } }) =>
                onChange({
                  ...options,
                  without: checked
                    ? without.filter((one) => one !== name)
                    : [...without, name],
                })
              }
            />
            <span>{name === 'deep_research' ? w.research : name}</span>
          </label>
        ))}
      </fieldset>
    </details>
  );
}
