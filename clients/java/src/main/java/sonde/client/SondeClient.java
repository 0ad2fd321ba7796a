package sonde.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.UUID;
import java.util.stream.Stream;

/** Client of the Sonde service. Thread-safe. Every method may throw any {@link SondeException}. */
public final class SondeClient {
    /** The default address of a service. */
    public static final String DEFAULT_BASE_URL = "http://127.0.0.1:8080";

    /** Default time limit of calls that return when the work is done. */
    static final Duration ANSWER_TIMEOUT = Duration.ofMinutes(10);

    private final Http http;
    private final Records<Invocation, InvocationEvent> invocations;
    private final ChatsClient chats;

    private SondeClient(Builder builder) {
        http = new Http("Sonde", BaseUrl.ofSonde(builder.baseUrl), builder);
        invocations = Records.ofInvocations(http);
        chats = new ChatsClient(http);
    }

    /** @return a builder with the defaults: no key, {@value #DEFAULT_BASE_URL} */
    public static Builder builder() {
        return new Builder();
    }

    /** Builds a client; the base URL may have a path prefix. */
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
         * @throws SondeUsageException if the URL or the key is invalid
         */
        public SondeClient build() {
            return new SondeClient(this);
        }
    }

    /**
     * Sends a message and waits for the answer.
     *
     * @param message 1 to 32,000 characters
     * @return the answer
     */
    public ChatReply chat(String message) {
        return chat(ChatRequest.of(message));
    }

    /**
     * Sends a request and waits for the answer, after the model has called the tools it needs, and this client the
     * functions of the request.
     *
     * @param request the message and its options
     * @return the answer; with {@code background}, the chat that was started
     */
    public ChatReply chat(ChatRequest request) {
        return chat(request, ChatOptions.DEFAULT);
    }

    /**
     * Sends a request with options of the call.
     *
     * @param request the message and its options
     * @param options e.g. an idempotency key
     * @return the answer; with {@code background} or {@code waitAtMost}, maybe an unfinished chat
     */
    public ChatReply chat(ChatRequest request, ChatOptions options) {
        Deadline deadline = Deadline.in(options.limit());
        FunctionChat chat = new FunctionChat(request, options);
        for (; ; ) {
            JsonNode reply = chat.whole(http.json(Requests.chat(chat.body(), chat.options(deadline))));
            if (!chat.goesOn(reply, deadline)) return Errors.converted(reply, ChatReply.class);
        }
    }

    /**
     * Yields the events of a chat as they happen. The stream cannot be resumed; a chat that must survive its
     * connection is started in the background and followed with {@link ChatsClient#events}.
     *
     * @param request the message and its options
     * @return events; the last is {@code completed} or {@code error}
     */
    public EventStream<ChatEvent> chatStream(ChatRequest request) {
        return chatStream(request, ANSWER_TIMEOUT);
    }

    /**
     * Like {@link #chatStream(ChatRequest)} with a time limit.
     *
     * @param request the message and its options
     * @param timeout until the first event; later silence is limited to 45 seconds
     * @return events; the last is {@code completed} or {@code error}
     */
    public EventStream<ChatEvent> chatStream(ChatRequest request, Duration timeout) {
        return chatStream(request, ChatOptions.DEFAULT.timeout(timeout));
    }

    /**
     * Like {@link #chatStream(ChatRequest)} with limits of the functions that the model calls.
     *
     * @param request the message and its options
     * @param options {@code timeout} as above, {@code maxRounds} and {@code functionTimeout}
     * @return events; the last is {@code completed} or {@code error}
     */
    public EventStream<ChatEvent> chatStream(ChatRequest request, ChatOptions options) {
        return new EventStream<>(new StreamedChat(http, new FunctionChat(request, options), options.limit()));
    }

    /**
     * Runs a tool and waits until it ends or the service stops waiting.
     *
     * @param toolName e.g. {@code deep_research}
     * @param arguments {@link ResearchArguments}, a map, or anything that Jackson can serialize
     * @return the record; if unfinished, pass it to {@link #wait(Ref)}
     */
    public Invocation invoke(String toolName, Object arguments) {
        return invoke(toolName, arguments, InvokeOptions.DEFAULT);
    }

    /**
     * Like {@link #invoke(String, Object)} with options.
     *
     * @param toolName e.g. {@code deep_research}
     * @param arguments {@link ResearchArguments}, a map, or anything that Jackson can serialize
     * @param options e.g. a time limit
     * @return the record, maybe unfinished
     */
    public Invocation invoke(String toolName, Object arguments, InvokeOptions options) {
        Call call = Requests.invocation(toolName, Json.tree(arguments), options, ANSWER_TIMEOUT);
        return invocations.record(http.json(call), null);
    }

    /**
     * Starts a tool run without waiting for it.
     *
     * @param toolName e.g. {@code deep_research}
     * @param arguments {@link ResearchArguments}, a map, or anything that Jackson can serialize
     * @return the record, with the token that grants access
     */
    public Invocation submit(String toolName, Object arguments) {
        return submit(toolName, arguments, InvokeOptions.DEFAULT);
    }

    /**
     * Like {@link #submit(String, Object)} with options.
     *
     * @param toolName e.g. {@code deep_research}
     * @param arguments {@link ResearchArguments}, a map, or anything that Jackson can serialize
     * @param options e.g. an idempotency key
     * @return the record, with the token that grants access
     */
    public Invocation submit(String toolName, Object arguments, InvokeOptions options) {
        JsonNode tree = Json.tree(arguments).deepCopy();
        if (tree instanceof ObjectNode fields) fields.put(options.stream() ? "stream" : "background", true);
        return invocations.record(http.json(Requests.invocation(toolName, tree, options, null)), null);
    }

    /**
     * Reads a record of the API key.
     *
     * @param id {@code inv_…}
     * @return its current state
     */
    public Invocation get(String id) {
        return get(Ref.of(id));
    }

    /**
     * Reads a record.
     *
     * @param invocation the invocation
     * @return its current state
     */
    public Invocation get(Ref invocation) {
        return invocations.get(invocation);
    }

    /**
     * Waits until an invocation ends or requires action, across broken connections, for at most one hour.
     *
     * @param invocation the invocation
     * @return its record at that time
     */
    public Invocation wait(Ref invocation) {
        return wait(invocation, Polling.DEFAULT_TIMEOUT);
    }

    /**
     * Like {@link #wait(Ref)} with a time limit.
     *
     * @param invocation the invocation
     * @param timeout the time limit
     * @return its record at that time
     * @throws SondeTimeoutException when the time limit elapses; the work continues
     */
    public Invocation wait(Ref invocation, Duration timeout) {
        return invocations.wait(invocation, timeout);
    }

    /**
     * Follows the events of an invocation from the start, reconnecting as often as needed.
     *
     * @param invocation the invocation
     * @return events; the last is {@code completed}, {@code error} or {@code gap}
     */
    public EventStream<InvocationEvent> events(Ref invocation) {
        return events(invocation, EventOptions.DEFAULT);
    }

    /**
     * Like {@link #events(Ref)} with options.
     *
     * @param invocation the invocation
     * @param options e.g. the event to resume after
     * @return events; the last is {@code completed}, {@code error} or {@code gap}, after which the record must be
     *     read
     */
    public EventStream<InvocationEvent> events(Ref invocation, EventOptions options) {
        return invocations.events(invocation, options);
    }

    /**
     * Cancels an invocation, also at the model endpoint. A final record is returned unchanged.
     *
     * @param invocation the invocation
     * @return the record
     */
    public Invocation cancel(Ref invocation) {
        return invocations.cancel(invocation, null);
    }

    /**
     * Approves, edits or refuses the plan of a run that was started with {@code plan} {@code review}. The same decision
     * again changes nothing.
     *
     * @param invocation the invocation
     * @param decision e.g. {@link PlanDecision#approved()}
     * @return the record
     */
    public Invocation decidePlan(Ref invocation, PlanDecision decision) {
        return invocations.post(invocation, "/plan", Json.tree(decision), null);
    }

    /**
     * Continues a run of the agent that ended at a limit, with a budget of its own.
     *
     * @param invocation the run that ended; it stays as it is
     * @param budget of the new run alone, with at least one limit
     * @return the new run, which has all that the earlier one found
     */
    public Invocation continueRun(Ref invocation, ResearchBudget budget) {
        return continueRun(invocation, budget, UUID.randomUUID().toString());
    }

    /**
     * Like {@link #continueRun(Ref, ResearchBudget)} with a key: requests repeated with the same key are executed and
     * billed once.
     *
     * @param invocation the run that ended; it stays as it is
     * @param budget of the new run alone, with at least one limit
     * @param idempotencyKey 1 to 255 printable characters
     * @return the new run, which has all that the earlier one found
     */
    public Invocation continueRun(Ref invocation, ResearchBudget budget, String idempotencyKey) {
        return invocations.create(invocation, "/continue", Json.tree(Map.of("budget", budget)), idempotencyKey);
    }

    /**
     * Deletes a record, cancelling the invocation first if it is still running.
     *
     * @param invocation the invocation
     */
    public void delete(Ref invocation) {
        invocations.delete(invocation, "");
    }

    /**
     * Keeps the record of an ended invocation until it is released.
     *
     * @param invocation the invocation
     * @return the record
     */
    public Invocation keep(Ref invocation) {
        return invocations.post(invocation, "/keep", null, null);
    }

    /**
     * Releases a kept record: it expires after the retention of the service from now on.
     *
     * @param invocation the invocation
     * @return the record
     */
    public Invocation release(Ref invocation) {
        return invocations.undo(invocation, "/keep");
    }

    /**
     * Makes a link that opens the report for a week, for anyone who has it. It is not retried after a lost reply;
     * {@link #shares} has what was made.
     *
     * @param invocation the invocation
     * @return the link with its token
     */
    public Share share(Ref invocation) {
        return share(invocation, null);
    }

    /**
     * Like {@link #share(Ref)} for another time.
     *
     * @param invocation the invocation
     * @param expiresIn one minute to 90 days; null for a week
     * @return the link with its token
     */
    public Share share(Ref invocation, Duration expiresIn) {
        JsonNode body = expiresIn == null ? null : Json.tree(Map.of("expires_in_seconds", expiresIn.toSeconds()));
        return Errors.converted(invocations.add(invocation, "/share", body), Share.class);
    }

    /**
     * Returns the links that open the report.
     *
     * @param invocation the invocation
     * @return those that have not expired, oldest first
     */
    public List<Share> shares(Ref invocation) {
        Stream<JsonNode> shares = Errors.items(invocations.below(invocation, "/share"), "data");
        return shares.map(share -> Errors.converted(share, Share.class)).toList();
    }

    /**
     * Revokes a link that opens the report.
     *
     * @param invocation the invocation
     * @param shareId of the link
     */
    public void unshare(Ref invocation, String shareId) {
        invocations.delete(invocation, "/share" + Call.segment("the link", shareId));
    }

    /**
     * Revokes all links that open the report.
     *
     * @param invocation the invocation
     */
    public void unshareAll(Ref invocation) {
        invocations.delete(invocation, "/share");
    }

    /**
     * Returns what a run would use, and its limits, without starting it; no model is called. Throws what
     * {@link #submit(String, Object)} would throw, except for what is full or spent at the moment.
     *
     * @param toolName e.g. {@code deep_research}
     * @param arguments {@link ResearchArguments}, a map, or anything that Jackson can serialize
     * @return the estimate
     */
    public RunEstimate estimate(String toolName, Object arguments) {
        JsonNode body = Json.tree(Map.of("tool_name", toolName, "arguments", Json.tree(arguments)));
        Call call = Call.post(Requests.INVOCATIONS + "/estimate", body, Backoff.Policy.SAFE);
        return Errors.converted(http.json(call), RunEstimate.class);
    }

    /** @return what research of each depth would use, and what past runs took */
    public List<RunEstimate> estimates() {
        Stream<JsonNode> all = Errors.items(http.json(Call.get(Requests.INVOCATIONS + "/estimate")), "data");
        return all.map(each -> Errors.converted(each, RunEstimate.class)).toList();
    }

    /**
     * Returns what research has read, with its quotes.
     *
     * @param invocation the invocation
     * @return the sources, in the order of their numbers
     */
    public List<ReadSource> sources(Ref invocation) {
        Stream<JsonNode> sources = Errors.items(invocations.below(invocation, "/sources"), "data");
        return sources.map(source -> Errors.converted(source, ReadSource.class)).toList();
    }

    /**
     * Returns one source.
     *
     * @param invocation the invocation
     * @param number the number that citations name
     * @return the source
     */
    public ReadSource source(Ref invocation, int number) {
        return Errors.converted(invocations.below(invocation, "/sources/" + number), ReadSource.class);
    }

    /**
     * Returns the plan, the notes and the verdicts of research by the agent.
     *
     * @param invocation the invocation
     * @return what its report rests on
     */
    public Evidence evidence(Ref invocation) {
        return Errors.converted(invocations.below(invocation, "/evidence"), Evidence.class);
    }

    /**
     * Returns the report of ended research as a file, with numbered citations.
     *
     * @param invocation the invocation
     * @param format {@code md}, {@code html}, {@code docx}, {@code pdf} or {@code json}
     * @return the report
     */
    public ReportFile report(Ref invocation, String format) {
        return invocations.file(invocation, "/report?format=" + Call.encoded(format));
    }

    /** @return what the API key has used in the last 30 days, and its budget */
    public KeyUsage usage() {
        return usage(null, null);
    }

    /**
     * Returns what the API key has used by day, kind and model, and its budget.
     *
     * @param from the first UTC day; null for 29 days before the last
     * @param to the last UTC day; null for today. At most 92 days in all
     * @return the usage
     */
    public KeyUsage usage(LocalDate from, LocalDate to) {
        StringJoiner query = new StringJoiner("&", "?", "").setEmptyValue("");
        if (from != null) query.add("from=" + from);
        if (to != null) query.add("to=" + to);
        return Errors.converted(http.json(Call.get("/api/v1/usage" + query)), KeyUsage.class);
    }

    /**
     * Lists the invocations of the API key, newest first.
     *
     * @param options filter and page
     * @return one page
     */
    public InvocationList list(ListOptions options) {
        JsonNode page = http.json(Call.get(Requests.INVOCATIONS + options.query()));
        return InvocationList.of(page, record -> invocations.record(record, null));
    }

    /** @return the registered tools */
    public List<Tool> tools() {
        Stream<JsonNode> tools = Errors.items(http.json(Call.get("/api/v1/tools")), "tools");
        return tools.map(tool -> Errors.converted(tool, Tool.class)).toList();
    }

    /** @return the operations on stored chats */
    public ChatsClient chats() {
        return chats;
    }
}
