package sonde.client.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;

/** Controls the model endpoint of a stand. */
record Sandbox(String url) {
    void fault(String fault) throws IOException, InterruptedException {
        send("POST", "/sandbox/faults", fault);
    }

    /** Restores the initial state. */
    void reset() throws IOException, InterruptedException {
        send("POST", "/sandbox/reset", "");
    }

    long count(String statistic) throws IOException, InterruptedException {
        return new ObjectMapper()
                .readTree(send("GET", "/sandbox/stats", ""))
                .path(statistic)
                .asLong();
    }

    private String send(String method, String path, String body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + path))
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .build();
        HttpResponse<String> response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() / 100 != 2) throw new IllegalStateException(path + ": " + response.body());
        return response.body();
    }

    interface Condition {
        boolean holds() throws IOException, InterruptedException;
    }

    /** Polls until the condition holds. */
    static void until(String what, Condition condition) throws IOException, InterruptedException {
        Instant end = Instant.now().plus(Duration.ofMinutes(1));
        while (!condition.holds()) {
            if (Instant.now().isAfter(end)) throw new AssertionError("never: " + what);
            Thread.sleep(20);
        }
    }
}
