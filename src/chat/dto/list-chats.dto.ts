import { PickType } from '@nestjs/swagger';
import { IsIn, IsOptional, Matches } from 'class-validator';
import { ReadsOtherForms } from '../../platform/http/validation/own-form';
import { withMetadata } from '../../runs/http/metadata';
import { RunListDto, RunListQueryDto } from '../../runs/http/run-list.dto';
import { CHAT_STATUSES, ChatDto, type ChatStatus } from './chat-response.dto';

@ReadsOtherForms(withMetadata)
export class ListChatsQueryDto extends RunListQueryDto {
  /** Only chats of this status. */
  @IsOptional()
  @IsIn(CHAT_STATUSES)
  status?: ChatStatus;

  /** `next_cursor` of the page before. */
  @IsOptional()
  @Matches(/^chat_[0-9a-f]{32}$/, { message: 'must be a next_cursor' })
  cursor?: string;
}

const LISTED = [
  'chat_id',
  'question',
  'metadata',
  'status',
  'cost',
  'error',
  'created_at',
  'started_at',
  'completed_at',
  'expires_at',
] as const satisfies readonly (keyof ChatDto)[];

/** A chat on record, without its answer. */
export class ListedChatDto extends PickType(ChatDto, LISTED) {}

export class ChatListDto extends RunListDto {
  data: ListedChatDto[];
}

export function toListedChat(
  chat: Pick<ChatDto, (typeof LISTED)[number]>,
): ListedChatDto {
  const { chat_id, question, metadata, status, cost, error } = chat;
  const { created_at, started_at, completed_at, expires_at } = chat;
  return {
    chat_id,
    question,
    metadata,
    status,
    cost,
    error,
    created_at,
    started_at,
    completed_at,
    expires_at,
  };
}
