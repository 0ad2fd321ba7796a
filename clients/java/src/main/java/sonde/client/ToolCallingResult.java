package sonde.client;

/**
 * What came of {@link ModelClient#createResponseWithToolCalling}. Null where nothing applies.
 *
 * @param finalText the answer; the report itself if the model failed after the research
 * @param toolCalled whether the model asked for research
 * @param responseId the last response of the model; null if it failed after the research
 * @param previousResponseId the first response, if there were two
 * @param toolCallId the model's id of the call
 * @param invocationId of the research
 * @param invocationToken opens its record
 * @param upstreamResponseId of the research
 * @param researchSummary what the model was told of it
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
        String researchSummary) {
    /** Without the token and the texts: safe to log. */
    @Override
    public String toString() {
        return "ToolCallingResult[" + responseId + (toolCalled ? ", " + invocationId : "") + "]";
    }
}
