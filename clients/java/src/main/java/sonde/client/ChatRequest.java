package sonde.client;

import java.util.List;
import java.util.Map;

/** A chat message and what goes with it. Never changed: each method gives a new one. */
public final class ChatRequest extends Fields<ChatRequest> {
    private ChatRequest(Map<String, ?> fields) {
        super(fields);
    }

    /**
     * @param message 1 to 32,000 characters
     * @return a request with nothing but the message
     */
    public static ChatRequest of(String message) {
        return of(Map.of("message", message));
    }

    /**
     * @param fields as the service has them, e.g. {@code message}
     * @return a request with these fields
     */
    public static ChatRequest of(Map<String, ?> fields) {
        return new ChatRequest(fields);
    }

    @Override
    ChatRequest copy(Map<String, Object> fields) {
        return new ChatRequest(fields);
    }

    /**
     * @param messages earlier turns, oldest first, in the service's message format
     * @return a copy with them
     */
    public ChatRequest messages(List<?> messages) {
        return with("messages", messages);
    }

    /**
     * @param context put before the message
     * @return a copy with it
     */
    public ChatRequest context(List<String> context) {
        return with("context", context);
    }

    /**
     * @param documents put before the message, and given to the research
     * @return a copy with them
     */
    public ChatRequest documents(List<Document> documents) {
        return with("documents", documents);
    }

    /**
     * @param autoToolCall false: no tools are offered to the model
     * @return a copy with it
     */
    public ChatRequest autoToolCall(boolean autoToolCall) {
        return with("auto_tool_call", autoToolCall);
    }

    /**
     * @param names of the tools that are offered; all that the key may use unless given
     * @return a copy with them
     */
    public ChatRequest tools(List<String> names) {
        return with("tools", names);
    }

    /**
     * @param choice {@code auto}, {@code none} or {@code required}
     * @return a copy with it
     */
    public ChatRequest toolChoice(String choice) {
        return with("tool_choice", choice);
    }

    /**
     * @param name of the tool that the model has to call
     * @return a copy with it
     */
    public ChatRequest toolToCall(String name) {
        return with("tool_choice", Map.of("name", name));
    }

    /**
     * @param model instead of the one that the service is set to
     * @return a copy with it
     */
    public ChatRequest model(String model) {
        return with("model", model);
    }

    /**
     * @param context what tools see, and models do not
     * @return a copy with it
     */
    public ChatRequest toolContext(Map<String, ?> context) {
        return with("tool_context", context);
    }

    /**
     * @param researches how many the model may begin
     * @return a copy with it
     */
    public ChatRequest maxResearch(int researches) {
        return with("max_research", researches);
    }

    /**
     * @param systemPrompt instructions for the research; a direct answer is not affected
     * @return a copy with it
     */
    public ChatRequest systemPrompt(String systemPrompt) {
        return with("system_prompt", systemPrompt);
    }

    /**
     * @param timeZone of the user, e.g. {@code Asia/Seoul}
     * @return a copy with it
     */
    public ChatRequest timeZone(String timeZone) {
        return with("time_zone", timeZone);
    }

    /**
     * @param format of a research, unless the model chooses one: {@code markdown_brief}, {@code markdown_report} or
     *     {@code json_outline}
     * @return a copy with it
     */
    public ChatRequest deliverableFormat(String format) {
        return with("deliverable_format", format);
    }

    /**
     * @param priority of the research: {@code high}, {@code normal} or {@code low}
     * @return a copy with it
     */
    public ChatRequest priority(String priority) {
        return with("priority", priority);
    }

    /**
     * @param clarification {@code auto}: the model may ask the user back; {@code never}
     * @return a copy with it
     */
    public ChatRequest clarification(String clarification) {
        return with("clarification", clarification);
    }

    /**
     * @param background true: the reply comes at once, a worker carries the chat
     * @return a copy with it
     */
    public ChatRequest background(boolean background) {
        return with("background", background);
    }
}
