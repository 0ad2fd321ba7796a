import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';

/** Reports the first failure of a receiver, and that it takes spans again; not every batch in between. */
export class QuietExporter implements SpanExporter {
  private failing = false;

  /** @param report gets whether spans are received from now on. */
  constructor(
    private readonly exporter: SpanExporter,
    private readonly report: (received: boolean) => void,
  ) {}

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    this.exporter.export(spans, (result) => {
      const failed = result.code !== ExportResultCode.SUCCESS;
      if (failed !== this.failing) this.report(!failed);
      this.failing = failed;
      done(result);
    });
  }

  forceFlush(): Promise<void> {
    return this.exporter.forceFlush?.() ?? Promise.resolve();
  }

  shutdown(): Promise<void> {
    return this.exporter.shutdown();
  }
}
