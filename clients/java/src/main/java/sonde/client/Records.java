package sonde.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.Predicate;

/** Operations that invocations and stored chats share. */
final class Records<R extends Ref, E> {
    private final Http http;
    private final String path;
    private final Class<R> type;
    private final Predicate<R> isDone;
    private final FrameReader<E> reader;
    private final Function<E, String> typeOfEvent;

    static Records<Invocation, InvocationEvent> ofInvocations(Http http) {
        return new Records<>(
                http,
                Requests.INVOCATIONS,
                Invocation.class,
                Invocation::isSettled,
                FrameReader::invocation,
                InvocationEvent::type);
    }

    static Records<ChatReply, ChatEvent> ofChats(Http http) {
        return new Records<>(
                http, Requests.CHAT, ChatReply.class, ChatReply::isSettled, FrameReader::chat, ChatEvent::type);
    }

    private Records(
            Http http,
            String path,
            Class<R> type,
            Predicate<R> isDone,
            FrameReader<E> reader,
            Function<E, String> typeOfEvent) {
        this.http = http;
        this.path = path;
        this.type = type;
        this.isDone = isDone;
        this.reader = reader;
        this.typeOfEvent = typeOfEvent;
    }

    R get(Ref ref) {
        return record(http.json(withToken(Call.get(of(ref)), ref)), ref.token());
    }

    R wait(Ref ref, Duration timeout) {
        String url = of(ref) + "/wait?timeout=";
        return Polling.until(
                isDone,
                (hold, limit) -> record(
                        http.json(withToken(Call.get(url + hold), ref)
                                .policy(Backoff.Policy.NEVER)
                                .timeout(limit)), ref.token()),
                // No pause is needed if the service has delayed its reply.
                (polls, took) -> took.toMillis() < 500 ? Backoff.delay(0, null) : Duration.ZERO,
                timeout);
    }

    EventStream<E> events(Ref ref, EventOptions options) {
        Call call = withToken(Call.get(of(ref) + "/events"), ref).policy(Backoff.Policy.NEVER);
        return new EventStream<>(new FollowedEvents<>(http, call, reader, typeOfEvent, options));
    }

    R cancel(Ref ref, Duration timeout) {
        return post(ref, "/cancel", null, timeout);
    }

    R post(Ref ref, String action, JsonNode body, Duration timeout) {
        Call call = withToken(Call.post(of(ref) + action, body, Backoff.Policy.SAFE), ref);
        return record(http.json(call.timeout(timeout)), ref.token());
    }

    /** Returns a new record, with no token but its own. */
    R create(Ref ref, String action, JsonNode body, String idempotencyKey) {
        Call call = withToken(Call.post(of(ref) + action, body, Backoff.Policy.SAFE), ref);
        return record(http.json(call.header("Idempotency-Key", idempotencyKey)), null);
    }

    /** Reverses an action. */
    R undo(Ref ref, String action) {
        Call call = Call.delete(of(ref) + action).policy(Backoff.Policy.SAFE);
        return record(http.json(withToken(call, ref)), ref.token());
    }

    /** Adds something below the path of a record, never twice. */
    JsonNode add(Ref ref, String what, JsonNode body) {
        return http.json(withToken(Call.post(of(ref) + what, body, Backoff.Policy.REFUSED), ref));
    }

    /** Deletes the record, or what is kept below its path. */
    void delete(Ref ref, String what) {
        http.json(withToken(Call.delete(of(ref) + what), ref));
    }

    /** Reads what is kept below the path of a record. */
    JsonNode below(Ref ref, String what) {
        return http.json(withToken(Call.get(of(ref) + what), ref));
    }

    /** Reads a file that is kept below the path of a record. */
    ReportFile file(Ref ref, String what) {
        return http.file(withToken(Call.get(of(ref) + what), ref));
    }

    /** Adds the token of the call, because the service returns it only once. */
    R record(JsonNode node, String token) {
        if (token != null && node instanceof ObjectNode object && !node.path("invocation_token").isTextual())
            object.put("invocation_token", token);
        return Errors.converted(node, type);
    }

    private String of(Ref ref) {
        return path + Call.segment("the reference", ref.id());
    }

    private static Call withToken(Call call, Ref ref) {
        return call.header("X-Invocation-Token", ref.token());
    }
}
