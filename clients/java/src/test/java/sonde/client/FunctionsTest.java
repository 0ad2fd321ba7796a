package sonde.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Functions that the model calls, against a server that calls each of a list, and keeps what it is told. */
class FunctionsTest {
    enum Unit {
        CELSIUS,
        KELVIN
    }

    record Place(String cityName, List<Double> position) {}

    static class Weather {
        @ModelFunction("Reports the weather.")
        Map<String, Object> weather(
                @ModelArgument("Where.") Place place, Unit unit, int days, Optional<String> language) {
            return Map.of("at", place.cityName() + " " + unit + " " + days + " " + language.orElse("any"));
        }

        @ModelFunction(value = "Fails.", name = "fail", strict = true)
        void fails() {
            throw new AssertionError("not so");
        }
    }

    private final BlockingQueue<String> told = new LinkedBlockingQueue<>();
    private final List<String> calls = new ArrayList<>();
    private HttpServer server;
    private SondeClient sonde;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            JsonNode messages = Json.parse(exchange.getRequestBody().readAllBytes()).path("messages");
            for (JsonNode message : messages)
                if (message.path("role").asText().equals("tool"))
                    told.add(message.path("contents").path(0).path("text").asText());
            String message = "{\"tool_calls\":[" + String.join(",", messages.isEmpty() ? calls : List.of()) + "]}";
            byte[] reply = ("{\"status\":\"completed\",\"message\":" + message + ",\"continuation\":[]}").getBytes();
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, reply.length);
            exchange.getResponseBody().write(reply);
            exchange.close();
        });
        server.start();
        sonde = SondeClient.builder().baseUrl("http://127.0.0.1:" + server.getAddress().getPort()).build();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private void call(String name, String arguments) {
        calls.add("{\"function\":{\"name\":\"" + name + "\",\"arguments\":" + arguments + "}}");
    }

    @Test
    void annotatedMethodsAreDescribed() throws IOException {
        JsonNode functions = Json.tree(ChatRequest.of("Hi").functions(new Weather())).path("functions");
        JsonNode weather = functions.path(1);
        assertEquals("fail", functions.path(0).path("name").asText());
        assertTrue(functions.path(0).path("strict").asBoolean());
        assertEquals("weather", weather.path("name").asText());
        assertEquals("Reports the weather.", weather.path("description").asText());
        assertEquals(
                Json.parse("{\"type\":\"object\",\"properties\":{\"city_name\":{\"type\":\"string\"},\"position\":"
                        + "{\"items\":{\"type\":\"number\"},\"type\":\"array\"}},\"required\":[\"city_name\",\"position\"],"
                        + "\"additionalProperties\":false,\"description\":\"Where.\"}"),
                weather.path("parameters").path("properties").path("place"));
        assertEquals(
                "[\"place\",\"unit\",\"days\"]", weather.path("parameters").path("required").toString());
    }

    @Test
    void methodsAreRunWithTheArgumentsOfTheModel() {
        call("weather", "{\"place\":{\"city_name\":\"Seoul\",\"position\":[1.5]},\"unit\":\"KELVIN\",\"days\":2}");
        call("weather", "{\"unit\":\"KELVIN\",\"days\":2}");
        call("weather", "{\"place\":{\"city_name\":\"Seoul\"},\"unit\":\"FEET\",\"days\":2}");
        call("fail", "{}");
        sonde.chat(ChatRequest.of("Hi").functions(new Weather()));
        List<String> texts = List.copyOf(told);
        assertEquals("{\"at\":\"Seoul KELVIN 2 any\"}", texts.get(0));
        assertTrue(texts.get(1).contains("place is missing"), texts.get(1));
        assertTrue(texts.get(2).contains("unit is not of the type"), texts.get(2));
        assertEquals("{\"code\":\"FUNCTION_FAILED\",\"message\":\"not so\"}", texts.get(3));
    }

    @Test
    void anObjectWithoutAnnotatedMethodsIsRefused() {
        ChatRequest request = ChatRequest.of("Hi");
        assertThrows(SondeUsageException.class, () -> request.functions("weather"));
    }

    @Test
    void anInterruptedChatInterruptsItsFunctions() throws InterruptedException {
        call("wait", "{}");
        CountDownLatch begun = new CountDownLatch(1);
        BlockingQueue<Throwable> ends = new LinkedBlockingQueue<>();
        ChatFunction waits = ChatFunction.of("wait", "Waits.", Map.of("type", "object"), arguments -> {
            begun.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                ends.add(e);
            }
            return null;
        });
        Thread caller = new Thread(() -> {
            try {
                sonde.chat(ChatRequest.of("Hi").functions(waits));
            } catch (CancellationException e) {
                ends.add(e);
            }
        });
        caller.start();
        begun.await();
        caller.interrupt();
        ends.take();
        ends.take();
        caller.join();
        assertEquals(List.of(), List.copyOf(told));
    }
}
