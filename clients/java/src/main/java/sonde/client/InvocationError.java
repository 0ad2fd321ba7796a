package sonde.client;

/**
 * Why a run failed, or ended early.
 *
 * @param code e.g. {@code upstream_timeout}
 * @param retryable whether the same again may succeed
 */
public record InvocationError(String code, boolean retryable) {}
