package sonde.client;

/**
 * The limits of a run. Null: it has no such limit.
 *
 * @param maxSearches searches
 * @param maxPages pages
 * @param maxTokens input and output of all model calls
 * @param maxSeconds from its begin, without the wait for a decision on its plan
 * @param maxCostUsd US dollars
 */
public record RunLimits(Long maxSearches, Long maxPages, Long maxTokens, Long maxSeconds, Double maxCostUsd) {}
