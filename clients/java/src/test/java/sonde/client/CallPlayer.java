package sonde.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;

/** Makes the calls of a case with the two clients. */
final class CallPlayer {
    private final JsonNode play;
    private final String url;
    private final List<Object> results = new ArrayList<>();

    CallPlayer(JsonNode play, String url) {
        this.play = play;
        this.url = url;
    }

    /** Makes a call. Its result is available to later calls. */
    Object call(JsonNode call) {
        Object result = made(call);
        results.add(result);
        return result;
    }

    private Object made(JsonNode call) {
        Options options = new Options(call.path("options"));
        String method = call.path("method").asText();
        JsonNode first = call.path("arguments").path(0);
        JsonNode second = call.path("arguments").path(1);
        if (method.startsWith("model.")) return ofModel(method, text(first), options);
        SondeClient sonde = sonde(options.duration("timeout"));
        Ref ref = ref(first, options);
        return switch (method) {
            case "chat" -> first.isTextual() ? sonde.chat(first.asText()) : sonde.chat(request(first), options.chat());
            case "chatStream" -> sonde.chatStream(request(first), options.chat());
            case "invoke" -> sonde.invoke(first.asText(), second, options.invoke());
            case "submit" -> sonde.submit(first.asText(), second, options.invoke());
            case "get" -> first.isTextual() && ref.token() == null ? sonde.get(first.asText()) : sonde.get(ref);
            case "wait" -> options.has("timeout") ? sonde.wait(ref, options.duration("timeout")) : sonde.wait(ref);
            case "events" -> sonde.events(ref, options.events());
            case "cancel" -> sonde.cancel(ref);
            case "decidePlan" -> sonde.decidePlan(ref, Json.convert(second, PlanDecision.class));
            case "continueRun" -> options.has("idempotency_key")
                    ? sonde.continueRun(ref, budget(second), options.text("idempotency_key"))
                    : sonde.continueRun(ref, budget(second));
            case "delete" -> deleted(() -> sonde.delete(ref));
            case "keep" -> sonde.keep(ref);
            case "release" -> sonde.release(ref);
            case "share" -> options.has("expires_in_seconds")
                    ? sonde.share(ref, options.duration("expires_in_seconds"))
                    : sonde.share(ref);
            case "shares" -> Map.of("data", sonde.shares(ref));
            case "unshare" -> deleted(() -> sonde.unshare(ref, second.asText()));
            case "unshareAll" -> deleted(() -> sonde.unshareAll(ref));
            case "estimate" -> sonde.estimate(first.asText(), second);
            case "estimates" -> Map.of("data", sonde.estimates());
            case "list" -> sonde.list(page(first));
            case "sources" -> Map.of("data", sonde.sources(ref));
            case "source" -> sonde.source(ref, second.asInt());
            case "evidence" -> sonde.evidence(ref);
            case "report" -> report(sonde.report(ref, second.asText()));
            case "usage" -> sonde.usage(day(first, "from"), day(first, "to"));
            case "tools" -> Map.of("tools", sonde.tools());
            case "chats.list" -> sonde.chats().list(page(first));
            case "chats.get" -> sonde.chats().get(ref);
            case "chats.wait" -> sonde.chats().wait(ref);
            case "chats.events" -> sonde.chats().events(ref, options.events());
            case "chats.cancel" -> sonde.chats().cancel(ref);
            case "chats.delete" -> deleted(() -> sonde.chats().delete(ref));
            case "chats.approve" -> sonde.chats().approve(ref, items(second, Decision.class));
            case "chats.answer" -> sonde.chats().answer(ref, items(second, Answer.class));
            default -> throw new IllegalStateException("no such method: " + method);
        };
    }

    private Object ofModel(String method, String argument, Options options) {
        ModelClient model = model();
        Duration timeout = options.duration("timeout");
        return switch (method) {
            case "model.createResponse" -> model.createResponse(
                    argument,
                    new ResponseOptions(
                            options.is("background"),
                            options.is("web_search"),
                            options.text("instructions"),
                            options.texts("context"),
                            timeout));
            case "model.getResponse" -> model.getResponse(argument);
            case "model.waitForResponse" -> timeout == null
                    ? model.waitForResponse(argument)
                    : model.waitForResponse(argument, timeout);
            case "model.cancelResponse" -> model.cancelResponse(argument);
            case "model.createChatCompletion" -> model.createChatCompletion(
                    argument, new CompletionOptions(options.text("system_prompt"), options.texts("context"), timeout));
            case "model.createResponseWithToolCalling" -> model.createResponseWithToolCalling(
                    argument,
                    ToolCallingOptions.with(sonde(null))
                            .systemPrompt(options.text("system_prompt"))
                            .context(options.texts("context"))
                            .deliverableFormat(options.text("deliverable_format"))
                            .timeout(timeout));
            default -> throw new IllegalStateException("no such method: " + method);
        };
    }

    private SondeClient sonde(Duration timeout) {
        JsonNode client = play.path("client");
        SondeClient.Builder builder = SondeClient.builder()
                .baseUrl(url + client.path("base_path").asText(""))
                .apiKey(client.path("api_key").textValue())
                .maxRetries(client.path("max_retries").asInt(2));
        return (timeout == null ? builder : builder.timeout(timeout)).build();
    }

    private ModelClient model() {
        JsonNode model = play.path("model");
        return ModelClient.builder()
                .baseUrl(url + "/model" + model.path("base_path").asText(""))
                .apiKey(model.path("api_key").textValue())
                .model(model.path("model").asText(ModelClient.DEFAULT_MODEL))
                .maxRetries(model.path("max_retries").asInt(2))
                .build();
    }

    /** An id that is an argument, or that an argument or an earlier result contains. */
    private String text(JsonNode argument) {
        if (!argument.has("$result")) return argument.asText();
        return ((ModelResponse) results.get(argument.path("$result").asInt())).id();
    }

    private Ref ref(JsonNode argument, Options options) {
        if (argument.has("$result") && results.get(argument.path("$result").asInt()) instanceof Ref ref) return ref;
        if (argument.isTextual()) return Ref.of(argument.asText(), options.text("token"));
        String field = argument.has("chat_id") ? "chat_id" : "invocation_id";
        return Ref.of(argument.path(field).textValue(), argument.path("invocation_token").textValue());
    }

    private static ChatRequest request(JsonNode argument) {
        Map<String, JsonNode> fields = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> field : argument.properties()) fields.put(field.getKey(), field.getValue());
        JsonNode functions = fields.remove("functions");
        ChatRequest request = ChatRequest.of(fields);
        return functions == null ? request : request.functions(Behaving.functions(functions));
    }

    private static Object report(ReportFile file) {
        String content = Base64.getEncoder().encodeToString(file.content());
        return Map.of("content_type", file.contentType(), "content", content, "text", file.text());
    }

    private static ListOptions page(JsonNode query) {
        return Json.convert(query.isObject() ? query : Json.tree(Map.of()), ListOptions.class);
    }

    private static LocalDate day(JsonNode query, String name) {
        return query.has(name) ? LocalDate.parse(query.path(name).asText()) : null;
    }

    private static ResearchBudget budget(JsonNode argument) {
        ResearchBudget budget = ResearchBudget.of();
        for (Map.Entry<String, JsonNode> limit : argument.properties())
            budget = budget.with(limit.getKey(), limit.getValue());
        return budget;
    }

    private static <T> List<T> items(JsonNode list, Class<T> type) {
        return StreamSupport.stream(list.spliterator(), false)
                .map(item -> Json.convert(item, type))
                .toList();
    }

    private static Object deleted(Runnable delete) {
        delete.run();
        return null;
    }

    private record Options(JsonNode options) {
        boolean has(String name) {
            return options.has(name);
        }

        boolean is(String name) {
            return options.path(name).asBoolean();
        }

        String text(String name) {
            return options.path(name).textValue();
        }

        Duration duration(String name) {
            return has(name) ? Duration.ofMillis(Math.round(options.path(name).asDouble() * 1000)) : null;
        }

        List<String> texts(String name) {
            return StreamSupport.stream(options.path(name).spliterator(), false)
                    .map(JsonNode::asText)
                    .toList();
        }

        Map<String, String> pairs(String name) {
            Map<String, String> pairs = new LinkedHashMap<>();
            JsonNode given = options.path(name);
            given.fieldNames().forEachRemaining(key -> pairs.put(key, given.path(key).asText()));
            return pairs;
        }

        InvokeOptions invoke() {
            return new InvokeOptions(
                    text("idempotency_key"),
                    duration("timeout"),
                    duration("wait_seconds"),
                    text("priority"),
                    options.path("webhook").path("url").textValue(),
                    is("stream"),
                    is("strict"),
                    has("metadata") ? pairs("metadata") : null);
        }

        ChatOptions chat() {
            return new ChatOptions(
                    text("idempotency_key"),
                    duration("timeout"),
                    duration("wait_seconds"),
                    has("max_rounds") ? options.path("max_rounds").asInt() : null,
                    duration("function_timeout"));
        }

        EventOptions events() {
            return new EventOptions(text("last_event_id"), duration("idle_timeout"), duration("give_up_after"));
        }
    }
}
