import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Matches,
  Max,
  Min,
  ValidateIf,
} from 'class-validator';
import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { SCOPE } from '../../../platform/auth/scopes';
import { AppError } from '../../../platform/errors';
import { rfc3339 } from '../../../platform/rfc3339';
import {
  isValid,
  RUN_ENDINGS,
  type RunEnding,
  type StoredKey,
} from '../key-record';
import type { KeyChange } from '../key-admin';
import { MergePatch } from '../../../platform/http/validation/validation-rules';
import { KeyBudgetDto, KeyLimitsDto, KeySettingsDto } from './key-settings.dto';

export const KEY_NAME = /^[A-Za-z0-9_.-]{1,64}$/;
const TIMESTAMP =
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?(Z|[+-]\d\d:\d\d)$/;
const MAX_OVERLAP_SECONDS = 30 * 86_400;
/** A day: time to give the new text to every client. */
export const OVERLAP_SECONDS = 86_400;
const STATUSES = ['active', 'expired', 'revoked'] as const;

const IsScopes = (): PropertyDecorator =>
  applyDecorators(
    IsArray(),
    ArrayMinSize(1),
    ArrayMaxSize(100),
    Matches(SCOPE, {
      each: true,
      message: 'must be chat, research, read, admin, tools:<name> or tools:*',
    }),
  );

const IsExpiry = (): PropertyDecorator =>
  applyDecorators(
    IsOptional(),
    IsString(),
    Matches(TIMESTAMP, {
      message: 'must be an RFC 3339 timestamp, such as 2027-01-01T00:00:00Z',
    }),
  );

export class CreateKeyDto extends KeySettingsDto {
  /** Of the caller. It owns what the key begins; keys of the same name share it. */
  @Matches(KEY_NAME, {
    message: 'must be 1 to 64 letters, digits, ".", "_" and "-"',
  })
  name: string;

  /** `chat`, `research`, `read`, `admin`, `tools:<name>` or `tools:*`. */
  @IsScopes()
  scopes: string[];

  /** RFC 3339. Without it the key does not expire. */
  @IsExpiry()
  expires_at?: string | null;
}

/** What is absent stays as it is, what is null is removed. */
@MergePatch()
export class UpdateKeyDto extends KeySettingsDto {
  /** All that it is to have. */
  @ValidateIf((_, scopes) => scopes !== undefined)
  @IsScopes()
  scopes?: string[];

  /** RFC 3339; null: it does not expire. */
  @IsExpiry()
  expires_at?: string | null;
}

export class RotateKeyDto {
  /** For how long the text before stays valid. */
  @ApiProperty({ type: 'integer' })
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(MAX_OVERLAP_SECONDS)
  overlap_seconds: number = OVERLAP_SECONDS;
}

export class RevokeKeyDto {
  /** What becomes of the unfinished runs of its name. What has not begun is always cancelled. */
  @IsOptional()
  @IsIn(RUN_ENDINGS)
  runs: RunEnding = 'finish';
}

export class KeyDto {
  id: string;

  name: string;

  scopes: string[];

  @ApiProperty({ enum: STATUSES })
  status: (typeof STATUSES)[number];

  created_at: string;

  /** When it got its current text, if that is not its first. */
  rotated_at: string | null;

  /** Until when a text before the current one is valid. */
  overlap_until: string | null;

  expires_at: string | null;

  revoked_at: string | null;

  /** What is absent has the limit of the service. */
  limits: KeyLimitsDto | null;

  budget: KeyBudgetDto | null;

  /** null: 1. */
  @ApiProperty({ type: 'integer', nullable: true })
  weight: number | null;

  /** null: that of the service. */
  @ApiProperty({ type: 'integer', nullable: true })
  retention_seconds: number | null;

  precedence: boolean;
}

export class KeyListDto {
  /** Newest first. */
  data: KeyDto[];
}

export class IssuedKeyDto extends KeyDto {
  /** The text of the key. No other response has it. */
  key: string;
}

/** @throws AppError `validation_failed`. */
export function expiryIn(
  { expires_at }: Pick<CreateKeyDto, 'expires_at'>,
  nowMs: number,
): number | null {
  if (expires_at === undefined || expires_at === null) return null;
  const expiresMs = Date.parse(expires_at);
  if (expiresMs > nowMs) return expiresMs;
  throw new AppError('validation_failed', 'The request is not valid.', {
    errors: [{ path: 'expires_at', message: 'must be a time in the future' }],
  });
}

/** @throws AppError `validation_failed`. */
export function keyChange(body: UpdateKeyDto, nowMs: number): KeyChange {
  const { scopes, expires_at } = body;
  const expiresMs =
    expires_at === undefined ? undefined : expiryIn(body, nowMs);
  return { scopes, expiresMs, settings: body };
}

export function toKeyDto(key: StoredKey, nowMs: number): KeyDto {
  const { id, name, scopes, previous } = key;
  const overlaps = previous
    .map(({ until_ms }) => until_ms)
    .filter((untilMs) => untilMs > nowMs);
  return {
    id,
    name,
    scopes: [...scopes],
    status: statusOf(key, nowMs),
    created_at: rfc3339(key.created_ms)!,
    rotated_at: rfc3339(key.rotated_ms),
    overlap_until: rfc3339(overlaps.length ? Math.max(...overlaps) : null),
    expires_at: rfc3339(key.expires_ms),
    revoked_at: rfc3339(key.revoked_ms),
    limits: key.limits ?? null,
    budget: key.budget ?? null,
    weight: key.weight ?? null,
    retention_seconds: key.retention_seconds ?? null,
    precedence: key.precedence ?? false,
  };
}

export function toIssuedDto(
  { record, key }: { record: StoredKey; key: string },
  nowMs: number,
): IssuedKeyDto {
  return Object.assign(toKeyDto(record, nowMs), { key });
}

function statusOf(key: StoredKey, nowMs: number): KeyDto['status'] {
  if (key.revoked_ms !== null) return 'revoked';
  return isValid(key, nowMs) ? 'active' : 'expired';
}
