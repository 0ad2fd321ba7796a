package sonde.client;

/**
 * The reason why a run failed or ended early.
 *
 * @param code e.g. {@code upstream_timeout}
 * @param retryable whether the same request may succeed later
 */
public record InvocationError(String code, boolean retryable) {}
