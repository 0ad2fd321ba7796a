/** Headers by which clients and proxies number the attempts of a request, each with the number of the first. */
const ATTEMPTS: Record<string, number> = {
  // The SDKs of OpenAI and Anthropic.
  'x-stainless-retry-count': 0,
  // Envoy, and gateways that are built on it.
  'x-envoy-attempt-count': 1,
};

/** Whether a client or a proxy says that it has sent the request before. */
export function isRetry(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): boolean {
  return Object.entries(ATTEMPTS).some(
    ([name, first]) => Number(headers[name]) > first,
  );
}
