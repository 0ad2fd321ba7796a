package sonde.client;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * A response of the model endpoint.
 *
 * @param id {@code resp_…}
 * @param status {@code queued}, {@code in_progress}, {@code completed}, {@code incomplete}, {@code failed} or
 *     {@code cancelled}
 * @param outputText the text of all its messages
 * @param response the raw response object
 */
public record ModelResponse(String id, String status, String outputText, JsonNode response) {
    /** @return whether nothing more will come */
    public boolean isFinal() {
        return !"queued".equals(status) && !"in_progress".equals(status);
    }

    /** Without the answer: safe to log. */
    @Override
    public String toString() {
        return "ModelResponse[" + id + ", " + status + "]";
    }
}
