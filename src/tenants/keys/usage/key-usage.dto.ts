import { ApiProperty } from '@nestjs/swagger';
import { IsOptional, Matches } from 'class-validator';
import { AppError, type FieldError } from '../../../platform/errors';
import { dayOf } from '../../spend/spend-keys';

const DAY = /^\d{4}-\d\d-\d\d$/;
const MESSAGE = 'must be a date, such as 2027-01-31';
const DAY_MS = 86_400_000;
const MAX_DAYS = 92;
const DEFAULT_DAYS = 30;

export class UsageQueryDto {
  /** The first UTC day; 29 days before `to` without it. */
  @ApiProperty({ format: 'date' })
  @IsOptional()
  @Matches(DAY, { message: MESSAGE })
  from?: string;

  /** The last UTC day; today without it. At most 92 days in all. */
  @ApiProperty({ format: 'date' })
  @IsOptional()
  @Matches(DAY, { message: MESSAGE })
  to?: string;
}

export class UsageLineDto {
  @ApiProperty({ enum: ['chat', 'research'] })
  kind: string;

  /** Of an agent run, the one that writes. Empty where it is not known. */
  model: string;

  /** Ended runs of research; calls of the model in chats. */
  @ApiProperty({ type: 'integer' })
  count: number;

  @ApiProperty({ type: 'integer' })
  input_tokens: number;

  @ApiProperty({ type: 'integer' })
  output_tokens: number;

  cost_usd: number;

  /** Of `count`, those whose cost is not known: `cost_usd` lacks it. A key with a budget begins nothing more on that day. */
  @ApiProperty({ type: 'integer' })
  unknown_cost: number;
}

export class UsageDayDto {
  /** UTC. */
  date: string;

  cost_usd: number;

  usage: UsageLineDto[];
}

export class BudgetPeriodDto {
  /** Null: there is no limit. */
  @ApiProperty({ type: 'number', nullable: true })
  limit_usd: number | null;

  spent_usd: number;

  /** What calls under way cost at most. */
  reserved_usd: number;

  /** When the next UTC day or month begins. */
  resets_at: string;
}

export class BudgetDto {
  day: BudgetPeriodDto;

  month: BudgetPeriodDto;
}

export class UsageDto {
  from: string;

  to: string;

  /** Of all days. */
  cost_usd: number;

  /** Days with any usage, in their order. A cost counts on the day on which it became known. */
  data: UsageDayDto[];

  budget: BudgetDto;
}

export class KeyUsageDto {
  /** Of a configured key, `@` and its name. */
  key_id: string;

  name: string;

  budget: BudgetDto;
}

export class KeyUsageListDto {
  data: KeyUsageDto[];
}

/** The UTC days of a query. @throws AppError `validation_failed`. */
export function daysOf(
  { from, to }: UsageQueryDto,
  nowMs: number,
): readonly string[] {
  const errors: FieldError[] = [];
  const read = (path: string, day: string): number => {
    const ms = Date.parse(day);
    if (!Number.isNaN(ms) && dayOf(ms) === day) return ms;
    errors.push({ path, message: MESSAGE });
    return 0;
  };
  const last = read('to', to ?? dayOf(nowMs));
  const before = dayOf(Math.max(0, last - (DEFAULT_DAYS - 1) * DAY_MS));
  const first = read('from', from ?? before);
  const count = (last - first) / DAY_MS + 1;
  if (errors.length === 0 && count < 1)
    errors.push({ path: 'from', message: 'must not be after to' });
  if (errors.length === 0 && count > MAX_DAYS)
    errors.push({ path: 'from', message: `must be at most ${MAX_DAYS} days` });
  if (errors.length > 0)
    throw new AppError('validation_failed', undefined, { errors });
  return Array.from({ length: count }, (_, at) => dayOf(first + at * DAY_MS));
}
