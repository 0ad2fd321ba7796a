package sonde.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Converts error replies: problem details (RFC 9457), error objects of OpenAI, and any other body. */
final class Errors {
    /** The code of an error whose reply has none. */
    private static final String NO_CODE = "http_error";

    private Errors() {}

    static SondeApiException api(Reply response, byte[] bytes, String apiKey) {
        JsonNode body = parsed(bytes);
        JsonNode openAi = body.path("error");
        boolean problem = response.header("content-type").startsWith("application/problem+json");
        String words = inWords(response.status());
        String code = NO_CODE;
        String message = words;
        String requestId = null;
        List<FieldError> errors = List.of();
        if (problem) {
            code = first(body.path("code"), body.path("none"), code);
            message = first(body.path("detail"), body.path("title"), words);
            requestId = Json.text(body, "request_id");
            errors = fields(body.path("errors"));
        } else if (openAi.isObject()) {
            code = first(openAi.path("code"), openAi.path("type"), code);
            message = first(openAi.path("message"), body.path("none"), words);
        }
        // Some services repeat the rejected key in their error message.
        if (apiKey != null) message = message.replace(apiKey, "…");
        if (requestId == null) requestId = response.requestId();
        return new SondeApiException(
                response.status(),
                code,
                message,
                errors,
                requestId,
                retryAfter(response.header("retry-after")),
                problem);
    }

    static SondeProtocolException protocol(String what, Reply response) {
        int status = response.status();
        String message = "the server responded with " + what + " (HTTP " + status + ")";
        return new SondeProtocolException(message, status, response.requestId());
    }

    /** @throws SondeProtocolException if the JSON is not of that type */
    static <T> T converted(JsonNode node, Class<T> type) {
        try {
            if (node != null) return Json.convert(node, type);
        } catch (IllegalArgumentException e) {
            // The message does not repeat the reply, which may contain anything.
        }
        throw new SondeProtocolException(
                "the server responded with a body that is not a " + type.getSimpleName(), 200, null);
    }

    /** @throws SondeProtocolException if the field is not a list */
    static Stream<JsonNode> items(JsonNode node, String field) {
        if (node == null || !node.path(field).isArray())
            throw new SondeProtocolException("the server responded without a list", 200, null);
        return StreamSupport.stream(node.path(field).spliterator(), false);
    }

    /** Parses seconds or an HTTP date; null if it is neither. */
    static Duration retryAfter(String value) {
        if (value.matches("\\d{1,9}(\\.\\d{1,9})?"))
            return Duration.ofMillis(Math.round(Double.parseDouble(value) * 1000));
        try {
            Instant then = ZonedDateTime.parse(value, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
            Duration remaining = Duration.between(Instant.now(), then);
            return remaining.isNegative() ? Duration.ZERO : remaining;
        } catch (DateTimeParseException e) {
            return null;
        }
    }

    private static JsonNode parsed(byte[] body) {
        try {
            return Json.parse(body);
        } catch (IOException e) {
            return Json.tree("");
        }
    }

    private static List<FieldError> fields(JsonNode errors) {
        List<FieldError> fields = new ArrayList<>();
        for (JsonNode error : errors)
            fields.add(new FieldError(error.path("path").asText(), error.path("message").asText()));
        return fields;
    }

    private static String first(JsonNode preferred, JsonNode other, String otherwise) {
        for (JsonNode node : List.of(preferred, other))
            if (node.isValueNode() && !node.isNull() && !node.asText().isEmpty()) return node.asText();
        return otherwise;
    }

    private static String inWords(int status) {
        return "the server responded with HTTP " + status;
    }
}
