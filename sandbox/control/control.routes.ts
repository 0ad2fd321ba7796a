import { ApiError } from '../wire/api-error';
import type { Exchange } from '../wire/http';
import { sendJson } from '../wire/http';
import { listedTopics } from '../corpus/topics';
import { changeSettings } from './settings';
import type { SandboxState } from '../state';

const TOPICS = {
  object: 'list',
  note: {
    en: 'This is a sandbox, not a model. It finds these pages and no others.',
    ko: '모델이 아니라 샌드박스입니다. 아래 주제의 글만 찾을 수 있습니다.',
  },
  data: listedTopics,
};

/** The control endpoints for tests and operators; faults never apply to them. */
export function control(x: Exchange, state: SandboxState): void {
  const { res } = x;
  switch (`${x.method} ${x.path}`) {
    case 'GET /':
    case 'GET /sandbox/topics':
      return sendJson(res, 200, TOPICS);
    case 'GET /sandbox/stats':
      return sendJson(res, 200, statsBody(x.query.get('path'), state));
    case 'GET /sandbox/requests': {
      const last = Number(x.query.get('last') ?? 20);
      return sendJson(res, 200, {
        data: last > 0 ? state.stats.bodies.slice(-last) : [],
      });
    }
    case 'GET /sandbox/config':
      return sendJson(res, 200, state.settings);
    case 'POST /sandbox/config':
      state.settings = changeSettings(state.settings, x.body);
      return sendJson(res, 200, state.settings);
    case 'GET /sandbox/faults':
      return sendJson(res, 200, { data: state.faults.list() });
    case 'POST /sandbox/faults':
      return sendJson(res, 201, state.faults.add(x.body));
    case 'DELETE /sandbox/faults':
      state.faults.clear();
      return sendJson(res, 200, { cleared: true });
    case 'POST /sandbox/reset':
      state.reset();
      return sendJson(res, 200, { reset: true });
  }
  throw new ApiError(404, `Invalid URL (${x.method} ${x.path})`);
}

function statsBody(path: string | null, { stats, runs }: SandboxState) {
  return {
    creates: stats.creates,
    creates_by_invocation: stats.createsByInvocation,
    billed_by_invocation: stats.billedByInvocation,
    turns: stats.turns,
    chat_completions: stats.chatCompletions,
    retrieves: stats.retrieves,
    resumes: stats.resumes,
    cancels: stats.cancels,
    deletes: stats.deletes,
    in_flight: runs.inFlight,
    requests: stats.lines.filter((l) => path === null || l.path.includes(path)),
  };
}
