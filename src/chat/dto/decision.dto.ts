import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsObject,
  IsOptional,
  IsString,
} from 'class-validator';
import { Nested } from '../../platform/http/validation/nested-dto';
import {
  MaxLength,
  MinLength,
} from '../../platform/http/validation/text-length';
import { MAX_QUESTION_CHARS } from '../../platform/message/message';

class DecisionDto {
  /** From `required_action`. */
  @IsString()
  @MinLength(1)
  @MaxLength(1_000)
  call_id: string;
}

export class ApprovalDto extends DecisionDto {
  /** False: the call does not run, and the model receives the refusal. */
  @IsBoolean()
  approve: boolean;

  /** Passed to the model. */
  @IsOptional()
  @IsString()
  @MaxLength(2_000)
  reason?: string | null;
}

export class ApprovalsDto {
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(1_000)
  @IsObject({ each: true })
  @Nested(() => ApprovalDto)
  approvals: ApprovalDto[];
}

export class AnswerDto extends DecisionDto {
  @IsString()
  @MinLength(1)
  @MaxLength(MAX_QUESTION_CHARS)
  answer: string;
}

export class AnswersDto {
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(1_000)
  @IsObject({ each: true })
  @Nested(() => AnswerDto)
  answers: AnswerDto[];
}
