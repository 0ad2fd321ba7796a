package sonde.client;

/**
 * The reason why a chat, a tool or research failed.
 *
 * @param code e.g. {@code upstream_timeout}
 * @param message safe to show
 * @param retryable whether the same request may succeed later
 */
public record ChatError(String code, String message, boolean retryable) {}
