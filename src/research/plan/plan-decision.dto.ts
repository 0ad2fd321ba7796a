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

export class EditedDirectionDto {
  /** What it is to find out. */
  @IsString()
  @MinLength(1)
  @MaxLength(200)
  title: string;

  /** What it begins with. They are checked as those of a model are. */
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(4)
  @IsString({ each: true })
  @MinLength(1, { each: true })
  @MaxLength(300, { each: true })
  queries: string[];
}

export class EditedPlanDto {
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(6)
  @IsObject({ each: true })
  @Nested(() => EditedDirectionDto)
  directions: EditedDirectionDto[];
}

export class PlanDecisionDto {
  /** False: nothing is searched, and the run ends as `cancelled`. */
  @IsBoolean()
  approve: boolean;

  /** Instead of the plan that was proposed. */
  @IsOptional()
  @IsObject()
  @Nested(() => EditedPlanDto)
  plan?: EditedPlanDto | null;

  /** Kept in the record. */
  @IsOptional()
  @IsString()
  @MaxLength(2_000)
  reason?: string | null;
}

const directions = [
  { title: 'How kimchi is made', queries: ['kimchi fermentation'] },
];

/** Bodies that can be sent unchanged; the pages at `/docs` show the first. */
export const PLAN_EXAMPLES = {
  approve: { summary: 'Approve the plan', value: { approve: true } },
  edit: {
    summary: 'Approve another plan instead',
    value: { approve: true, plan: { directions } },
  },
  refuse: {
    summary: 'Refuse it; the run ends',
    value: { approve: false, reason: 'Too broad' },
  },
};
