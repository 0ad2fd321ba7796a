package sonde.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every case of the contract of all clients, over HTTP. */
class ContractIT {
    private static NodeProgram replay;

    @BeforeAll
    static void start() throws IOException {
        replay = NodeProgram.replay();
    }

    @AfterAll
    static void stop() throws IOException {
        replay.close();
    }

    @TestFactory
    Stream<DynamicTest> cases() throws IOException {
        return NodeProgram.files("cases").stream().map(file -> {
            String name = file.getFileName().toString().replace(".json", "");
            return DynamicTest.dynamicTest(name, () -> play(name, file));
        });
    }

    private static void play(String name, Path file) throws Exception {
        JsonNode play = Json.parse(Files.readAllBytes(file));
        String url = replay.url("url") + "/" + name;
        CallPlayer player = new CallPlayer(play, url);
        for (JsonNode call : play.path("calls")) check(player, call);
        HttpRequest report = HttpRequest.newBuilder(URI.create(url + "/_report")).build();
        String body = HttpClient.newHttpClient()
                .send(report, HttpResponse.BodyHandlers.ofString())
                .body();
        assertEquals("{\"ok\":true,\"faults\":[]}", body, play.path("title").asText());
    }

    private static void check(CallPlayer player, JsonNode call) {
        JsonNode raises = call.path("raises");
        if (raises.isMissingNode()) {
            Object result = made(player, call);
            if (call.has("returns"))
                assertEquals("", JsonMatcher.difference("result", call.path("returns"), Json.tree(result)));
            return;
        }
        SondeException failure = assertThrows(SondeException.class, () -> made(player, call));
        assertEquals("", JsonMatcher.difference("error", raises, described(failure)), failure.getMessage());
    }

    private static Object made(CallPlayer player, JsonNode call) {
        Object result = player.call(call);
        if (result instanceof EventStream<?> events) read(events, call);
        return result instanceof EventStream<?> ? null : result;
    }

    private static void read(EventStream<?> events, JsonNode call) {
        JsonNode expected = call.path("yields");
        try (events) {
            for (int i = 0; i < expected.size(); i++)
                assertEquals("", JsonMatcher.difference("event " + i, expected.get(i), Json.tree(events.next())));
            if (!call.has("take")) assertEquals(List.of(), events.hasNext() ? List.of(events.next()) : List.of());
        }
    }

    private static JsonNode described(SondeException failure) {
        ObjectNode error = (ObjectNode) Json.tree(Map.of("message", failure.getMessage()));
        if (failure instanceof SondeApiException api) {
            error.put("kind", "api").put("status", api.status()).put("code", api.code());
            error.put("request_id", api.requestId()).set("errors", Json.tree(api.errors()));
            if (api.retryAfter() != null) error.put("retry_after_seconds", api.retryAfter().toMillis() / 1000.0);
        } else if (failure instanceof SondeProtocolException protocol) {
            error.put("kind", "protocol").put("status", protocol.status()).put("request_id", protocol.requestId());
        } else if (failure instanceof SondeTimeoutException) error.put("kind", "timeout");
        else if (failure instanceof SondeConnectionException) error.put("kind", "connection");
        else error.put("kind", "usage");
        return error;
    }
}
