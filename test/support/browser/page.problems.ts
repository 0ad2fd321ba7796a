import type {
  ConsoleMessage,
  HTTPRequest,
  HTTPResponse,
  Page,
} from 'puppeteer-core';

/** Chromium's own line about a request that failed, which is a problem of its own here. */
const FAILED_REQUEST = /^Failed to load resource:/;
/** The page gave up the request itself. */
const ABORTED = 'net::ERR_ABORTED';

/**
 * ⏎ What went wrong in a page, in order: errors in the console (violations of the content security policy among them),
 * exceptions, requests that failed or were refused. One line each, with paths in place of URLs of the service.
 */
export class PageProblems {
  private readonly lines: string[] = [];
  private origin = '';

  constructor(page: Page) {
    page.on('console', (message) => this.console(message));
    page.on('pageerror', (error) =>
      this.add(
        `exception: ${error instanceof Error ? error.message : String(error)}`,
      ),
    );
    page.on('requestfailed', (request) => this.failed(request));
    page.on('response', (response) => this.response(response));
    page.on('framenavigated', (frame) => {
      if (frame === page.mainFrame() && frame.url().startsWith('http'))
        this.origin = new URL(frame.url()).origin;
    });
  }

  /** Takes all that there are. */
  take(): string[] {
    return this.lines.splice(0);
  }

  /** Takes the first that matches. */
  takeOne(pattern: RegExp): string | undefined {
    const index = this.lines.findIndex((line) => pattern.test(line));
    return index < 0 ? undefined : this.lines.splice(index, 1)[0];
  }

  private console(message: ConsoleMessage): void {
    const text = message.text();
    if (message.type() !== 'error' || FAILED_REQUEST.test(text)) return;
    this.add(`console: ${text}`);
  }

  private failed(request: HTTPRequest): void {
    const reason = request.failure()?.errorText ?? 'failed';
    if (reason !== ABORTED)
      this.add(`${request.method()} ${request.url()}: ${reason}`);
  }

  private response(response: HTTPResponse): void {
    if (response.status() < 400) return;
    const request = response.request();
    this.add(`${request.method()} ${response.url()}: ${response.status()}`);
  }

  private add(line: string): void {
    this.lines.push(this.origin ? line.replaceAll(this.origin, '') : line);
  }
}
