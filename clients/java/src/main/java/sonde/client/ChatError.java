package sonde.client;

/**
 * Why a chat failed.
 *
 * @param code e.g. {@code upstream_timeout}
 * @param message safe to show
 * @param retryable whether the same again may succeed
 */
public record ChatError(String code, String message, boolean retryable) {}
