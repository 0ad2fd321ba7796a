package sonde.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.ProtocolException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Sends requests to one endpoint with one API key. */
final class Http {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
    private static final String USER_AGENT = "sonde-client-java/" + Version.VERSION;

    private final HttpClient client = HttpClient.newBuilder()
            // HTTP/2 upgrades are disabled, because proxies handle them differently.
            .version(HttpClient.Version.HTTP_1_1)
            // Redirects are not followed, because the API key would be sent to their target.
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(CONNECT_TIMEOUT)
            .build();
    private final String endpoint;
    private final String baseUrl;
    private final String apiKey;
    private final Duration timeout;
    private final int maxRetries;

    /** @param endpoint its name in error messages, which never contain its address */
    Http(String endpoint, String baseUrl, ClientBuilder<?> builder) {
        this.endpoint = endpoint;
        this.baseUrl = baseUrl;
        boolean keyless = builder.apiKey == null || builder.apiKey.isEmpty();
        this.apiKey = keyless ? null : Call.printable("apiKey", builder.apiKey);
        this.timeout = builder.timeout;
        this.maxRetries = builder.maxRetries;
        if (timeout.isNegative() || timeout.isZero()) throw new SondeUsageException("timeout must be more than 0");
        if (maxRetries < 0) throw new SondeUsageException("maxRetries must not be negative");
    }

    /** The JSON object of the reply; null for a reply without content. */
    JsonNode json(Call call) {
        Deadline deadline = deadline(call);
        return retried(call, deadline, () -> {
            Reply response = send(call, "application/json", deadline);
            return object(response, body(response, deadline));
        });
    }

    /** The bytes of the reply and their media type. */
    ReportFile file(Call call) {
        Deadline deadline = deadline(call);
        return retried(call, deadline, () -> {
            Reply response = send(call, "*/*", deadline);
            return new ReportFile(response.header("content-type"), body(response, deadline));
        });
    }

    /** The bytes of an event stream. */
    ByteStream events(Call call) {
        Deadline deadline = deadline(call);
        return retried(call, deadline, () -> {
            Reply response = send(call, "text/event-stream", deadline);
            if (response.header("content-type").startsWith("text/event-stream")) return response.body();
            response.body().close();
            throw Errors.protocol("a body that is not an event stream", response);
        });
    }

    private Deadline deadline(Call call) {
        return Deadline.in(call.timeout() == null ? timeout : call.timeout());
    }

    private interface Try<T> {
        T get();
    }

    private <T> T retried(Call call, Deadline deadline, Try<T> attempt) {
        boolean replyLost = false;
        for (int tries = 0; ; tries++) {
            try {
                return attempt.get();
            } catch (SondeException e) {
                e.at(baseUrl + call.path().replaceFirst("(?s)\\?.*", ""));
                if (replyLost && call.policy() == Backoff.Policy.DELETION && e instanceof SondeApiException error
                        && error.status() == 404) return null;
                replyLost |= e instanceof SondeConnectionException;
                Duration delay = Backoff.delay(tries, e);
                if (tries >= maxRetries || !call.policy().allows(e) || delay.compareTo(deadline.remaining()) >= 0) throw e;
                Backoff.sleep(delay);
            }
        }
    }

    /** The reply to one attempt, unless it is an error. */
    private Reply send(Call call, String accept, Deadline deadline) {
        Reply response = send(request(call, accept), deadline);
        if (response.status() / 100 == 2) return response;
        if (response.status() < 400) {
            response.body().close();
            throw Errors.protocol("a redirect, which is not followed", response);
        }
        throw Errors.api(response, body(response, deadline), apiKey);
    }

    private HttpRequest request(Call call, String accept) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(baseUrl + call.path()))
                .header("User-Agent", USER_AGENT)
                .header("Accept", accept);
        if (apiKey != null) request.header("Authorization", "Bearer " + apiKey);
        call.headers().forEach(request::header);
        if (call.body() == null) return request.method(call.method(), HttpRequest.BodyPublishers.noBody()).build();
        return request.header("Content-Type", "application/json")
                .method(call.method(), HttpRequest.BodyPublishers.ofString(Json.write(call.body())))
                .build();
    }

    private Reply send(HttpRequest request, Deadline deadline) {
        CompletableFuture<HttpResponse<Flow.Publisher<List<ByteBuffer>>>> reply =
                client.sendAsync(request, BodyHandlers.ofPublisher());
        try {
            return Reply.of(reply.get(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS));
        } catch (TimeoutException e) {
            abandon(reply);
            throw timedOut();
        } catch (InterruptedException e) {
            abandon(reply);
            throw Backoff.interrupted();
        } catch (ExecutionException e) {
            throw broken(e.getCause());
        }
    }

    /** Closes the connection, even if the reply has just arrived. */
    private static void abandon(CompletableFuture<HttpResponse<Flow.Publisher<List<ByteBuffer>>>> reply) {
        if (!reply.cancel(true)) reply.thenAccept(response -> Reply.of(response).body().close());
    }

    private byte[] body(Reply response, Deadline deadline) {
        try {
            return response.body().readAll(deadline);
        } catch (SocketTimeoutException e) {
            response.body().close();
            throw timedOut();
        } catch (IOException e) {
            throw broken(e.getCause());
        }
    }

    private JsonNode object(Reply response, byte[] body) {
        if (response.status() == 204) return null;
        try {
            JsonNode node = Json.parse(body);
            if (node.isObject()) return node;
        } catch (IOException e) {
            // Treated like any other invalid value.
        }
        throw Errors.protocol("a body that is not a JSON object", response);
    }

    SondeTimeoutException timedOut() {
        return new SondeTimeoutException(endpoint + " did not respond in time; work already started may continue");
    }

    /** Reports only the kind of the failure: messages of the JDK may contain the host name. */
    SondeException broken(Throwable cause) {
        String kind = cause.getClass().getSimpleName();
        if (cause instanceof ProtocolException)
            return new SondeProtocolException(endpoint + " did not respond with HTTP", 0, null);
        return new SondeConnectionException(endpoint + " could not be reached, or closed the connection (" + kind + ")");
    }
}
