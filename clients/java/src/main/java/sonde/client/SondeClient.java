package sonde.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;

/**
 * A Sonde service. For any number of threads. Every method may throw any {@link SondeException}; which request is sent
 * again after which failure is said in the README.
 */
public final class SondeClient {
    /** Where a service listens that was told nothing else. */
    public static final String DEFAULT_BASE_URL = "http://127.0.0.1:8080";

    /** For what is answered when the work is done. */
    static final Duration ANSWER_TIMEOUT = Duration.ofMinutes(10);

    private final Http http;
    private final Records<Invocation, InvocationEvent> invocations;
    private final ChatsClient chats;

    private SondeClient(Builder builder) {
        http = new Http("Sonde", BaseUrl.ofSonde(builder.baseUrl), builder);
        invocations = Records.ofInvocations(http);
        chats = new ChatsClient(http);
    }

    /** @return a builder with the defaults: no key, this machine */
    public static Builder builder() {
        return new Builder();
    }

    /** Makes a client; its base URL may have a path prefix. */
    public static final class Builder extends ClientBuilder<Builder> {
        private Builder() {
            super(DEFAULT_BASE_URL);
        }

        @Override
        Builder self() {
            return this;
        }

        /**
         * @return the client
         * @throws SondeUsageException if the URL or the key cannot be used
         */
        public SondeClient build() {
            return new SondeClient(this);
        }
    }

    /**
     * Says something, and waits for the answer.
     *
     * @param message 1 to 32,000 characters
     * @return the answer
     */
    public ChatReply chat(String message) {
        return chat(ChatRequest.of(message));
    }

    /**
     * The same, with more than a message.
     *
     * @param request what is said
     * @return the answer; with {@code background}, the chat that was begun
     */
    public ChatReply chat(ChatRequest request) {
        return chat(request, ChatOptions.DEFAULT);
    }

    /**
     * The same, with options.
     *
     * @param request what is said
     * @param options e.g. an idempotency key
     * @return the answer; with {@code background}, the chat that was begun; with {@code waitAtMost}, the chat as it is then
     */
    public ChatReply chat(ChatRequest request, ChatOptions options) {
        return Errors.converted(http.json(Requests.chat(request, options)), ChatReply.class);
    }

    /**
     * Says something, and gives the answer as it comes. It cannot be resumed: a chat that must survive its connection is
     * begun in the background and followed with {@link ChatsClient#events}.
     *
     * @param request what is said
     * @return events; the last is {@code completed} or {@code error}
     */
    public EventStream<ChatEvent> chatStream(ChatRequest request) {
        return chatStream(request, ANSWER_TIMEOUT);
    }

    /**
     * The same, with a limit.
     *
     * @param request what is said
     * @param timeout how long the first event may take; silence in between is 45 seconds at the most
     * @return events; the last is {@code completed} or {@code error}
     */
    public EventStream<ChatEvent> chatStream(ChatRequest request, Duration timeout) {
        JsonNode body = Json.tree(request.with("stream", true));
        Call call = Call.post(Requests.CHAT, body, Backoff.Policy.REFUSED).timeout(timeout);
        return new EventStream<>(new StreamedChat(http, call));
    }

    /**
     * Runs a tool, and waits for its end for as long as the service does.
     *
     * @param toolName e.g. {@code deep_research}
     * @param arguments {@link ResearchArguments}, a map, or anything that Jackson can write
     * @return the record; unfinished if the service would not wait any longer, see {@link #wait(Ref)}
     */
    public Invocation invoke(String toolName, Object arguments) {
        return invoke(toolName, arguments, InvokeOptions.DEFAULT);
    }

    /**
     * The same, with options.
     *
     * @param toolName e.g. {@code deep_research}
     * @param arguments {@link ResearchArguments}, a map, or anything that Jackson can write
     * @param options e.g. a time-out
     * @return the record, maybe unfinished
     */
    public Invocation invoke(String toolName, Object arguments, InvokeOptions options) {
        Call call = Requests.invocation(toolName, Json.tree(arguments), options, ANSWER_TIMEOUT);
        return invocations.record(http.json(call), null);
    }

    /**
     * Begins a run of a tool, and does not wait for it.
     *
     * @param toolName e.g. {@code deep_research}
     * @param arguments {@link ResearchArguments}, a map, or anything that Jackson can write
     * @return the record, with the token that opens it
     */
    public Invocation submit(String toolName, Object arguments) {
        return submit(toolName, arguments, InvokeOptions.DEFAULT);
    }

    /**
     * The same, with options.
     *
     * @param toolName e.g. {@code deep_research}
     * @param arguments {@link ResearchArguments}, a map, or anything that Jackson can write
     * @param options e.g. an idempotency key
     * @return the record, with the token that opens it
     */
    public Invocation submit(String toolName, Object arguments, InvokeOptions options) {
        JsonNode tree = Json.tree(arguments).deepCopy();
        if (tree instanceof ObjectNode fields) fields.put(options.stream() ? "stream" : "background", true);
        return invocations.record(http.json(Requests.invocation(toolName, tree, options, null)), null);
    }

    /**
     * Reads a record.
     *
     * @param invocation whose
     * @return the record as it is now
     */
    public Invocation get(Ref invocation) {
        return invocations.get(invocation);
    }

    /**
     * Waits for the end, an hour at the most, also over broken connections.
     *
     * @param invocation of what
     * @return the final record
     */
    public Invocation wait(Ref invocation) {
        return wait(invocation, Polling.DEFAULT_TIMEOUT);
    }

    /**
     * The same, with a limit.
     *
     * @param invocation of what
     * @param timeout how long
     * @return the final record
     * @throws SondeTimeoutException when the time is over; the work goes on
     */
    public Invocation wait(Ref invocation, Duration timeout) {
        return invocations.wait(invocation, timeout);
    }

    /**
     * Follows the events of an invocation from the start, over as many connections as it takes.
     *
     * @param invocation whose
     * @return events; the last is {@code completed}, {@code error} or {@code gap}
     */
    public EventStream<InvocationEvent> events(Ref invocation) {
        return events(invocation, EventOptions.DEFAULT);
    }

    /**
     * The same, with options.
     *
     * @param invocation whose
     * @param options e.g. after which event
     * @return events; the last is {@code completed}, {@code error} or {@code gap}: the record tells what is gone
     */
    public EventStream<InvocationEvent> events(Ref invocation, EventOptions options) {
        return invocations.events(invocation, options);
    }

    /**
     * Stops the work, also at the model endpoint. What is final stays as it is.
     *
     * @param invocation what
     * @return the record
     */
    public Invocation cancel(Ref invocation) {
        return invocations.cancel(invocation, null);
    }

    /**
     * Stops the work if it goes on, and forgets it.
     *
     * @param invocation what
     */
    public void delete(Ref invocation) {
        invocations.delete(invocation);
    }

    /**
     * Lists the invocations of the API key, newest first.
     *
     * @param options which
     * @return a page of them
     */
    public InvocationList list(ListOptions options) {
        JsonNode page = http.json(Call.get(Requests.INVOCATIONS + options.query()));
        List<Invocation> data = Errors.items(page, "data")
                .map(record -> invocations.record(record, null))
                .toList();
        return new InvocationList(data, page.path("has_more").asBoolean(), Json.text(page, "next_cursor"));
    }

    /** @return the registered tools */
    public List<Tool> tools() {
        return Errors.items(http.json(Call.get("/api/v1/tools")), "tools")
                .map(tool -> Errors.converted(tool, Tool.class))
                .toList();
    }

    /** @return chats on record */
    public ChatsClient chats() {
        return chats;
    }
}
