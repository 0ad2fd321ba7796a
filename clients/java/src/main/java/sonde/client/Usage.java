package sonde.client;

/**
 * Usage of a run.
 *
 * @param inputTokens input tokens
 * @param outputTokens output tokens
 * @param totalTokens their sum
 * @param toolCalls calls of hosted tools, e.g. searches; 0 for chats, whose tools have their own records
 */
public record Usage(long inputTokens, long outputTokens, long totalTokens, long toolCalls) {}
