package sonde.client;

import java.time.Duration;
import java.util.List;

/** An HTTP error, in the words of the endpoint. */
public final class SondeApiException extends SondeException {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final String code;
    private final transient List<FieldError> errors;
    private final String requestId;
    private final Duration retryAfter;
    /** Whether it is a problem as RFC 9457 has it: that is how Sonde says it, and hardly anyone in front of it. */
    final boolean problem;

    SondeApiException(
            int status,
            String code,
            String message,
            List<FieldError> errors,
            String requestId,
            Duration retryAfter,
            boolean problem) {
        super(message);
        this.status = status;
        this.code = code;
        this.errors = List.copyOf(errors);
        this.requestId = requestId;
        this.retryAfter = retryAfter;
        this.problem = problem;
    }

    /** @return the HTTP status, 400 or more */
    public int status() {
        return status;
    }

    /** @return e.g. {@code validation_failed}; {@code http_error} if the reply has none */
    public String code() {
        return code;
    }

    /** @return every fault of the request by its path; empty if none is named */
    public List<FieldError> errors() {
        return errors;
    }

    /** @return the id by which the logs of the service know the request; null if there is none */
    public String requestId() {
        return requestId;
    }

    /** @return how long the endpoint asks to wait before the next try; null if it does not say */
    public Duration retryAfter() {
        return retryAfter;
    }
}
