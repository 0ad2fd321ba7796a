/** A run as the upstream itself reports it. */
export interface UpstreamRun {
  status: string;
  text: string;
}

interface ResponseBody {
  status?: string;
  output?: {
    type: string;
    content?: { type: string; text?: string }[] | null;
  }[];
}

export async function readRun(url: string, id: string): Promise<UpstreamRun> {
  const reply = await fetch(`${url}/v1/responses/${encodeURIComponent(id)}`);
  const { status, output = [] } = (await reply.json()) as ResponseBody;
  return {
    status: status ?? `unknown (${reply.status})`,
    text: output
      .filter(({ type }) => type === 'message')
      .flatMap(({ content }) => content ?? [])
      .map(({ text }) => text ?? '')
      .join(''),
  };
}
