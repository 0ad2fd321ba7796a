package sonde.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Client of an OpenAI-compatible model endpoint. Thread-safe. Every method may throw any {@link SondeException}. */
public final class ModelClient {
    /** The model that is used unless another is set. */
    public static final String DEFAULT_MODEL = "gpt-4o";

    private static final int MOST_DOUBLINGS = 4;

    private final Http http;
    private final String model;

    private ModelClient(Builder builder) {
        http = new Http("the model endpoint", BaseUrl.ofModel(builder.baseUrl), builder);
        model = builder.model;
    }

    /** @return a builder, which requires a base URL */
    public static Builder builder() {
        return new Builder();
    }

    /** Builds a client; the base URL may end in {@code /v1}. */
    public static final class Builder extends ClientBuilder<Builder> {
        private String model = DEFAULT_MODEL;

        private Builder() {
            super("");
        }

        @Override
        Builder self() {
            return this;
        }

        /**
         * @param model {@value ModelClient#DEFAULT_MODEL} by default
         * @return this
         */
        public Builder model(String model) {
            this.model = model;
            return this;
        }

        /**
         * @return the client
         * @throws SondeUsageException if the URL or the key is invalid
         */
        public ModelClient build() {
            return new ModelClient(this);
        }
    }

    /**
     * Creates a response with the Responses API.
     *
     * @param prompt the prompt
     * @return the response; a status {@code failed} or {@code incomplete} causes no exception
     */
    public ModelResponse createResponse(String prompt) {
        return createResponse(prompt, ResponseOptions.DEFAULT);
    }

    /**
     * Like {@link #createResponse(String)} with options.
     *
     * @param prompt the prompt
     * @param options e.g. web search
     * @return the response; with {@code background}, its initial state
     */
    public ModelResponse createResponse(String prompt, ResponseOptions options) {
        ObjectNode body = body().put("input", prompted(options.context(), prompt));
        if (options.instructions() != null) body.put("instructions", options.instructions());
        if (options.background()) body.put("background", true);
        if (options.webSearch()) body.putArray("tools").addObject().put("type", "web_search");
        return respond(body, options.timeout());
    }

    /**
     * Reads a response.
     *
     * @param id {@code resp_…}
     * @return its current state
     */
    public ModelResponse getResponse(String id) {
        return response(http.json(Call.get(path(id))));
    }

    /**
     * Waits until a background response has ended, for at most one hour.
     *
     * @param id {@code resp_…}
     * @return its final state
     */
    public ModelResponse waitForResponse(String id) {
        return waitForResponse(id, Polling.DEFAULT_TIMEOUT);
    }

    /**
     * Like {@link #waitForResponse(String)} with a time limit.
     *
     * @param id {@code resp_…}
     * @param timeout the time limit
     * @return its final state
     * @throws SondeTimeoutException when the time limit elapses; the response continues
     */
    public ModelResponse waitForResponse(String id, Duration timeout) {
        Call call = Call.get(path(id)).policy(Backoff.Policy.NEVER);
        return Polling.until(
                ModelResponse::isFinal,
                (hold, limit) -> response(http.json(call.timeout(limit))),
                (polls, took) -> Backoff.delay(Math.min(polls, MOST_DOUBLINGS), null),
                timeout);
    }

    /**
     * Cancels a background response.
     *
     * @param id {@code resp_…}
     * @return its state
     */
    public ModelResponse cancelResponse(String id) {
        return response(http.json(Call.post(path(id) + "/cancel", null, Backoff.Policy.SAFE)));
    }

    /**
     * Creates a completion with the Chat Completions API.
     *
     * @param prompt the prompt
     * @return the answer
     */
    public ModelCompletion createChatCompletion(String prompt) {
        return createChatCompletion(prompt, CompletionOptions.DEFAULT);
    }

    /**
     * Like {@link #createChatCompletion(String)} with options.
     *
     * @param prompt the prompt
     * @param options e.g. a system prompt
     * @return the answer
     */
    public ModelCompletion createChatCompletion(String prompt, CompletionOptions options) {
        ObjectNode body = body();
        if (options.systemPrompt() != null)
            body.withArray("messages").addObject().put("role", "system").put("content", options.systemPrompt());
        String content = prompted(options.context(), prompt);
        body.withArray("messages").addObject().put("role", "user").put("content", content);
        JsonNode completion = post("/chat/completions", body, options.timeout());
        String answer = Json.text(completion.path("choices").path(0).path("message"), "content");
        return new ModelCompletion(Json.text(completion, "id"), answer == null ? "" : answer, completion);
    }

    /**
     * Lets the model decide whether to call {@code deep_research}, which Sonde runs, and returns its answer.
     *
     * @param prompt the prompt
     * @param options the Sonde client and the options of the research
     * @return the answer, and the ids of every step
     */
    public ToolCallingResult createResponseWithToolCalling(String prompt, ToolCallingOptions options) {
        return new ToolCalling(this, options).run(prompted(options.context(), prompt));
    }

    /** A request body that contains only the model. */
    ObjectNode body() {
        return JsonNodeFactory.instance.objectNode().put("model", model);
    }

    ModelResponse respond(ObjectNode body, Duration timeout) {
        return response(post("/responses", body, timeout));
    }

    private JsonNode post(String path, ObjectNode body, Duration timeout) {
        Call call = Call.post(path, body, Backoff.Policy.LIMITED);
        return http.json(call.timeout(timeout == null ? SondeClient.ANSWER_TIMEOUT : timeout));
    }

    private static String prompted(List<String> context, String prompt) {
        return Stream.concat(context.stream(), Stream.of(prompt)).collect(Collectors.joining("\n\n"));
    }

    private static String path(String id) {
        return "/responses" + Call.segment("the response", id);
    }

    private static ModelResponse response(JsonNode response) {
        String text = items(response, "output", "message")
                .flatMap(message -> items(message, "content", "output_text"))
                .map(part -> part.path("text").asText())
                .collect(Collectors.joining());
        return new ModelResponse(Json.text(response, "id"), Json.text(response, "status"), text, response);
    }

    /** The items of that type in a list. */
    static Stream<JsonNode> items(JsonNode node, String list, String type) {
        return StreamSupport.stream(node.path(list).spliterator(), false)
                .filter(item -> item.path("type").asText().equals(type));
    }
}
