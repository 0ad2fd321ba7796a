package sonde.client;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * A chat completion of the model endpoint.
 *
 * @param id {@code chatcmpl-…}
 * @param content the answer; empty if there is none
 * @param completion the unmodified completion object
 */
public record ModelCompletion(String id, String content, JsonNode completion) {
    /** Omits the answer, so that it is safe to log. */
    @Override
    public String toString() {
        return "ModelCompletion[" + id + "]";
    }
}
