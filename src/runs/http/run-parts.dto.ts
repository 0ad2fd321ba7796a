import { ApiProperty } from '@nestjs/swagger';
import { WEBHOOK_STATUSES, type WebhookStatus } from '../record/run';

export class ProgressDto {
  searches: number;

  pages_opened: number;

  last_step: string | null;
}

export class StepsDto {
  /** Done, each once. */
  settled: number;

  /** Attempts beyond the first of a step. */
  repeated: number;

  /** Given up after their repeats. */
  skipped: number;

  /** Attempts that may have been paid for without a result, because their worker disappeared; the first hundred. */
  ambiguous: string[];
}

export class InvocationErrorDto {
  /** @example upstream_timeout */
  code: string;

  retryable: boolean;
}

export class WebhookDeliveryDto {
  /** Without its query, which may hold a token. */
  url: string;

  /** `failed`: given up, but can be delivered again. */
  @ApiProperty({ enum: WEBHOOK_STATUSES })
  status: WebhookStatus;

  /** Tries so far. */
  attempts: number;
}
