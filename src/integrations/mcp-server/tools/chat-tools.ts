import { Injectable } from '@nestjs/common';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { rfc3339 } from '../../../platform/rfc3339';
import type { RunRecord } from '../../../runs/record/run-record';
import { JoinedCalls } from '../joined-calls';
import type { McpCall, McpTool } from '../mcp-call';
import { McpChat } from '../mcp-chat';
import { uriOf } from '../resource-uri';
import { bounded } from './run-result';
import { RunWaits } from '../run-waits';
import { definition, repeatable } from './tool-schemas';

/** Chats. Each is on record, so that a repeated call joins it as research is joined. */
@Injectable()
export class ChatTools {
  constructor(
    private readonly chats: McpChat,
    private readonly joined: JoinedCalls,
    private readonly waits: RunWaits,
  ) {}

  list(): McpTool[] {
    return [
      {
        definition: definition(
          'chat',
          'Chat',
          'Answers a message with a model that calls the tools of this service itself, research included. The same arguments join ' +
            'the chat that is unfinished or succeeded in the last 15 minutes; another idempotency_key begins another one.',
          repeatable(this.chats.parameters),
          { readOnlyHint: false, idempotentHint: true, openWorldHint: true },
        ),
        needs: { route: 'chat' },
        call: async (given, call) => {
          await this.waits.admit(call);
          const { caller, requestId, forwarded } = call;
          const record = await this.joined.submit(
            caller,
            'chat',
            given,
            (args, idempotencyKey) =>
              this.chats.submit({
                args,
                caller,
                requestId,
                forwarded,
                idempotencyKey,
              }),
          );
          return this.result(await this.waits.wait(record, call), call);
        },
      },
    ];
  }

  private result(record: RunRecord, call: McpCall): CallToolResult {
    const view = this.chats.view(record);
    const uri = view.content === null ? null : uriOf(record.id, 'report');
    const structured = {
      invocation_id: record.id,
      status: view.status,
      output_text: view.content,
      report_uri: uri,
      citations: view.citations,
      tool_calls: view.tool_calls,
      required_action: view.required_action,
      usage: view.usage,
      cost: view.cost,
      created_at: rfc3339(record.createdMs),
      completed_at: rfc3339(record.completedMs),
      expires_at: rfc3339(record.expiresMs),
      error: view.error,
    };
    return bounded(
      structured,
      `The chat ${record.id}`,
      uri === null
        ? []
        : [
            {
              type: 'resource_link',
              uri,
              name: 'reply',
              mimeType: 'text/markdown',
            },
          ],
      call,
    );
  }
}
