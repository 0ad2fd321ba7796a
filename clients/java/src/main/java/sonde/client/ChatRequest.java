package sonde.client;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A chat message with its options. Immutable: each method returns a copy. */
public final class ChatRequest extends Fields<ChatRequest> {
    private ChatRequest(Map<String, ?> fields) {
        super(fields);
    }

    /**
     * @param message 1 to 32,000 characters
     * @return a request with only this message
     */
    public static ChatRequest of(String message) {
        return of(Map.of("message", message));
    }

    /**
     * @param fields with the names of the wire, e.g. {@code message}
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
     * @param metadata up to 16 pairs that are kept with a stored chat: keys of at most 64 characters, values of at most
     *     512
     * @return a copy with it
     */
    public ChatRequest metadata(Map<String, String> metadata) {
        return with("metadata", metadata);
    }

    /**
     * @param context prepended to the message
     * @return a copy with it
     */
    public ChatRequest context(List<String> context) {
        return with("context", context);
    }

    /**
     * @param documents prepended to the message and passed to the research tool
     * @return a copy with them
     */
    public ChatRequest documents(List<Document> documents) {
        return with("documents", documents);
    }

    /**
     * @param autoToolCall false to make no tools available to the model
     * @return a copy with it
     */
    public ChatRequest autoToolCall(boolean autoToolCall) {
        return with("auto_tool_call", autoToolCall);
    }

    /**
     * @param names of the tools available to the model; defaults to all that the API key may use
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
     * @param name of the tool that the model must call
     * @return a copy with it
     */
    public ChatRequest toolToCall(String name) {
        return with("tool_choice", Map.of("name", name));
    }

    /**
     * Functions that the model may call, and that the client runs.
     *
     * @param functions {@link ChatFunction}s, and objects with methods that have {@link ModelFunction}; a map only
     *     describes a function, whose calls are handed back in {@code message} and {@code continuation} of the reply
     * @return a copy with them
     * @throws SondeUsageException if an object has no such method, or the name of an argument is not known
     */
    public ChatRequest functions(Object... functions) {
        List<?> all = Stream.of(functions)
                .flatMap(each -> each instanceof ChatFunction || each instanceof Map
                        ? Stream.of(each)
                        : AnnotatedFunctions.of(each).stream())
                .toList();
        return with("functions", all);
    }

    /**
     * @param parallel false to ask the model for at most one call in a turn
     * @return a copy with it
     */
    public ChatRequest parallelToolCalls(boolean parallel) {
        return with("parallel_tool_calls", parallel);
    }

    /**
     * @param model overrides the default model of the service
     * @return a copy with it
     */
    public ChatRequest model(String model) {
        return with("model", model);
    }

    /**
     * @param context passed to tools, never to models
     * @return a copy with it
     */
    public ChatRequest toolContext(Map<String, ?> context) {
        return with("tool_context", context);
    }

    /**
     * @param researches maximum number of research runs that the model may start
     * @return a copy with it
     */
    public ChatRequest maxResearch(int researches) {
        return with("max_research", researches);
    }

    /**
     * @param systemPrompt instructions for the research only
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
     * @param format of the research, unless the model chooses one: {@code markdown_brief}, {@code markdown_report} or
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
     * @param clarification {@code auto} lets the model ask clarifying questions, {@code never} does not
     * @return a copy with it
     */
    public ChatRequest clarification(String clarification) {
        return with("clarification", clarification);
    }

    /**
     * @param background true to receive the reply immediately while a worker runs the chat
     * @return a copy with it
     */
    public ChatRequest background(boolean background) {
        return with("background", background);
    }
}
