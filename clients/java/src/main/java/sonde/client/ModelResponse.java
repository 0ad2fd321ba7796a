package sonde.client;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * A response of the model endpoint.
 *
 * @param id {@code resp_…}
 * @param status {@code queued}, {@code in_progress}, {@code completed}, {@code incomplete}, {@code failed} or {@code
 *     cancelled}
 * @param outputText the text of all its messages
 * @param response the unmodified response object
 */
public record ModelResponse(String id, String status, String outputText, JsonNode response) {
    /** @return whether the status is final */
    public boolean isFinal() {
        return !"queued".equals(status) && !"in_progress".equals(status);
    }

    /** Omits the answer, so that it is safe to log. */
    @Override
    public String toString() {
        return "ModelResponse[" + id + ", " + status + "]";
    }
}
