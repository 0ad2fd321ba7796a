package sonde.client;

/**
 * What a run or the turns of a chat cost, where the gateway or the configured prices say it.
 *
 * @param currency {@code USD}
 * @param estimated before it began; null for a chat, and a run without a plan
 * @param reserved for calls under way; null for a chat, and a run without a budget
 * @param spent so far
 * @param source {@code gateway} or {@code prices}
 */
public record Cost(String currency, Double estimated, Double reserved, double spent, String source) {}
