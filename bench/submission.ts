import { request } from 'undici';

/** A research run in background, as a caller submits it. */
export const SUBMISSION = {
  path: '/api/v1/tool-invocations',
  body: {
    tool_name: 'deep_research',
    arguments: {
      research_question: 'How did jajangmyeon come to Korea?',
      background: true,
    },
  },
};

export interface Accepted {
  invocation_id: string;
  invocation_token: string;
}

export async function submitOne(
  url: string,
  headers: Record<string, string> = {},
  submission: object = SUBMISSION.body,
): Promise<Accepted> {
  const { statusCode, body } = await request(url + SUBMISSION.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(submission),
  });
  if (statusCode !== 202)
    throw new Error(`submit: ${statusCode} ${await body.text()}`);
  return (await body.json()) as Accepted;
}
