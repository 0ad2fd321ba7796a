package sonde.client;

/**
 * The result of {@link ModelClient#createResponseWithToolCalling}. Values that do not apply are null.
 *
 * @param finalText the answer; the report itself if the model failed after the research
 * @param toolCalled whether the model called the tool
 * @param responseId the last response of the model; null if it failed after the research
 * @param previousResponseId the first response, if there were two
 * @param toolCallId the model's id of the call
 * @param invocationId of the research
 * @param invocationToken grants access to its record
 * @param upstreamResponseId of the research
 * @param researchSummary the output passed to the model
 * @param error why the research failed, of which the model was told
 */
public record ToolCallingResult(
        String finalText,
        boolean toolCalled,
        String responseId,
        String previousResponseId,
        String toolCallId,
        String invocationId,
        String invocationToken,
        String upstreamResponseId,
        String researchSummary,
        ChatError error) {
    /** Omits the token and the texts, so that it is safe to log. */
    @Override
    public String toString() {
        return "ToolCallingResult[" + responseId + (toolCalled ? ", " + invocationId : "") + "]";
    }
}
