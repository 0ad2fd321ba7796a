package sonde.client;

/**
 * What a run has used.
 *
 * @param inputTokens tokens read
 * @param outputTokens tokens written
 * @param totalTokens both
 * @param toolCalls calls of hosted tools, e.g. searches; 0 for chats, whose tools have records of their own
 */
public record Usage(long inputTokens, long outputTokens, long totalTokens, long toolCalls) {}
