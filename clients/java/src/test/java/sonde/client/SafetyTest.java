package sonde.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Secrets in errors and logs, retries, and the end of waiting. */
class SafetyTest {
    private HttpServer server;
    private String url;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.start();
        url = "http://127.0.0.1:" + server.getAddress().getPort();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void doesNotFollowARedirectWithItsKey() {
        AtomicInteger followed = new AtomicInteger();
        answer("/elsewhere", 200, "{}", followed);
        server.createContext("/api", exchange -> {
            exchange.getResponseHeaders().add("Location", url + "/elsewhere");
            exchange.sendResponseHeaders(307, -1);
            exchange.close();
        });
        SondeClient sonde = SondeClient.builder().baseUrl(url).apiKey("sk-secret").build();
        SondeProtocolException error = assertThrows(SondeProtocolException.class, sonde::tools);
        assertEquals(307, error.status());
        assertEquals(0, followed.get());
    }

    @Test
    void redactsAKeyThatTheEndpointRepeats() {
        String refused = "{\"error\":{\"code\":\"invalid_api_key\",\"message\":\"Wrong key: sk-secret.\"}}";
        answer("/v1", 401, refused, new AtomicInteger());
        ModelClient model = ModelClient.builder().baseUrl(url).apiKey("sk-secret").build();
        SondeApiException error = assertThrows(SondeApiException.class, () -> model.createResponse("Hello"));
        assertEquals("Wrong key: ….", error.getMessage());
    }

    @Test
    void doesNotRetryAChatThatAProxyRejects() {
        AtomicInteger requests = new AtomicInteger();
        server.createContext("/api", exchange -> {
            requests.incrementAndGet();
            exchange.getResponseHeaders().add("Retry-After", "0");
            send(exchange, 503, "{\"error\":{\"code\":\"busy\"}}");
        });
        SondeClient sonde = SondeClient.builder().baseUrl(url).build();
        SondeApiException error = assertThrows(SondeApiException.class, () -> sonde.chat("Hello"));
        assertEquals("busy", error.code());
        assertEquals(1, requests.get());
    }

    @Test
    void rejectsArgumentsThatCannotBeSerialized() {
        SondeClient sonde = SondeClient.builder().baseUrl(url).build();
        Map<String, Object> arguments = Map.of("research_question", new Object());
        assertThrows(SondeUsageException.class, () -> sonde.submit("deep_research", arguments));
    }

    @Test
    void omitsTokensFromToString() {
        String record = "{\"invocation_id\":\"inv_1\",\"tool_name\":\"t\",\"status\":\"queued\"}";
        answer("/api", 200, record, new AtomicInteger());
        Invocation read = SondeClient.builder().baseUrl(url).build().get(Ref.of("inv_1", "ivt_secret"));
        assertEquals("ivt_secret", read.invocationToken());
        assertEquals("Invocation[inv_1, t, queued]", read.toString());
        assertFalse(Ref.of("inv_1", "ivt_secret").toString().contains("secret"));
    }

    @Test
    void omitsEventsAndAnswersFromToString() {
        JsonNode data = Json.tree(Map.of("invocation_token", "ivt_secret"));
        assertEquals("ChatEvent[7, tool_call]", new ChatEvent("7", "tool_call", data).toString());
        assertEquals(
                "InvocationEvent[7, status, inv_1, running]",
                new InvocationEvent("7", "status", "inv_1", "running", data).toString());
        assertEquals(
                "ModelResponse[resp_1, completed]",
                new ModelResponse("resp_1", "completed", "secret", data).toString());
        assertEquals("ModelCompletion[c_1]", new ModelCompletion("c_1", "secret", data).toString());
        assertEquals("Approval[call_1, t]", new RequiredAction.Approval("call_1", "t", data).toString());
        assertEquals("Question[call_1]", new RequiredAction.Question("call_1", "secret").toString());
        assertEquals("Answer[call_1]", new Answer("call_1", "secret").toString());
        assertEquals("Document[d]", new Document("d", "secret").toString());
        assertEquals("FileDocument[d.pdf]", FileDocument.of("d.pdf", new byte[] {1}).toString());
        assertFalse(ToolCallingOptions.with(null).systemPrompt("secret").toString().contains("secret"));
        assertFalse(ResponseOptions.DEFAULT.instructions("secret").toString().contains("secret"));
        assertFalse(CompletionOptions.DEFAULT.systemPrompt("secret").toString().contains("secret"));
        assertFalse(InvokeOptions.DEFAULT.webhook("https://a.example/?t=secret").toString().contains("secret"));
    }

    @Test
    void returnsTheReportIfTheLastTurnOfTheModelIsEmpty() {
        AtomicInteger turns = new AtomicInteger();
        String call = "{\"id\":\"resp_1\",\"output\":[{\"type\":\"function_call\",\"name\":\"deep_research\","
                + "\"call_id\":\"call_1\",\"arguments\":\"{}\"}]}";
        String nothing = "{\"id\":\"resp_2\",\"status\":\"failed\",\"output\":[]}";
        server.createContext("/v1", exchange -> send(exchange, 200, turns.incrementAndGet() == 1 ? call : nothing));
        String record = "{\"invocation_id\":\"inv_1\",\"status\":\"completed\",\"output_text\":\"the report\"}";
        answer("/api", 200, record, new AtomicInteger());
        SondeClient sonde = SondeClient.builder().baseUrl(url).build();
        ToolCallingResult result = ModelClient.builder()
                .baseUrl(url)
                .build()
                .createResponseWithToolCalling("Hello", ToolCallingOptions.with(sonde));
        assertEquals(2, turns.get());
        assertEquals("the report", result.finalText());
        assertEquals(null, result.responseId());
    }

    @Test
    void readsARecordWithoutKnownFields() {
        answer("/api", 200, "{\"later\":1}", new AtomicInteger());
        Invocation read = SondeClient.builder().baseUrl(url).build().get(Ref.of("inv_1"));
        assertFalse(read.isFinal());
        assertEquals(1, read.raw().path("later").asInt());
    }

    @Test
    void stopsWaitingWhenItsThreadIsInterrupted() throws Exception {
        CountDownLatch requests = new CountDownLatch(1);
        server.createContext("/api", exchange -> requests.countDown());
        SondeClient sonde = SondeClient.builder().baseUrl(url).build();
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        Thread waiting = new Thread(() -> {
            try {
                sonde.wait(Ref.of("inv_1"));
                interrupted.complete(false);
            } catch (CancellationException e) {
                interrupted.complete(Thread.currentThread().isInterrupted());
            } catch (RuntimeException e) {
                interrupted.completeExceptionally(e);
            }
        });
        waiting.start();
        requests.await();
        waiting.interrupt();
        assertTrue(interrupted.get());
    }

    @Test
    void parsesRetryAfterAsSecondsAndAsADate() {
        assertEquals(Duration.ofSeconds(7), Errors.retryAfter("7"));
        assertEquals(Duration.ofMillis(1500), Errors.retryAfter("1.5"));
        assertEquals(Duration.ZERO, Errors.retryAfter("Sat, 01 Jan 2000 00:00:00 GMT"));
        assertEquals(null, Errors.retryAfter("soon"));
        assertEquals(null, Errors.retryAfter("-1"));
    }

    @Test
    void pollsNoFasterThanTheBackoffIfRetryAfterIsZero() {
        SondeApiException now = new SondeApiException(503, "c", "m", List.of(), null, Duration.ZERO, true);
        assertEquals(Duration.ZERO, Backoff.reconnectDelay(0, now));
        assertTrue(Backoff.reconnectDelay(1, now).compareTo(Duration.ofMillis(250)) >= 0);
        SondeApiException later = new SondeApiException(503, "c", "m", List.of(), null, Duration.ofSeconds(30), true);
        assertEquals(Duration.ofSeconds(30), Backoff.reconnectDelay(0, later));
        assertEquals(Duration.ofSeconds(30), Backoff.reconnectDelay(9, later));
    }

    @Test
    void acceptsAnyDurationAsATimeLimit() {
        answer("/api", 200, "{\"status\":\"completed\"}", new AtomicInteger());
        SondeClient sonde = SondeClient.builder().baseUrl(url).build();
        assertTrue(sonde.wait(Ref.of("inv_1"), ChronoUnit.FOREVER.getDuration()).isFinal());
    }

    @Test
    void distinguishesATimeOutFromOtherConnectionErrors() {
        server.createContext("/api", exchange -> {});
        SondeClient sonde = SondeClient.builder()
                .baseUrl(url)
                .timeout(Duration.ofMillis(200))
                .build();
        SondeException error = assertThrows(SondeException.class, sonde::tools);
        assertInstanceOf(SondeTimeoutException.class, error);
        assertInstanceOf(SondeConnectionException.class, error);
    }

    @Test
    void sendsTheToolDefinitionOfTheContract() throws IOException {
        assertEquals(NodeProgram.contract("deep-research-tool.json"), ResearchTool.description());
    }

    private void answer(String path, int status, String body, AtomicInteger count) {
        server.createContext(path, exchange -> {
            count.incrementAndGet();
            send(exchange, status, body);
        });
    }

    private static void send(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }
}
