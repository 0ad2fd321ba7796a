package sonde.client;

import java.time.Duration;
import java.util.List;

/** The endpoint responded with an HTTP error. */
public final class SondeApiException extends SondeException {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final String code;
    private final transient List<FieldError> errors;
    private final String requestId;
    private final Duration retryAfter;
    /** Whether the body is problem details (RFC 9457), which Sonde sends and proxies rarely do. */
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

    /** @return the invalid fields of the request; empty if none is named */
    public List<FieldError> errors() {
        return errors;
    }

    /** @return the id of the request in the logs of the service; null if there is none */
    public String requestId() {
        return requestId;
    }

    /** @return the delay of Retry-After; null if there is none */
    public Duration retryAfter() {
        return retryAfter;
    }
}
