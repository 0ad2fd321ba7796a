package sonde.client;

import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.Flow;

/** A reply whose body has not been read yet. */
record Reply(int status, HttpHeaders headers, ByteStream body) {
    static Reply of(HttpResponse<Flow.Publisher<List<ByteBuffer>>> response) {
        ByteStream body = new ByteStream();
        response.body().subscribe(body);
        return new Reply(response.statusCode(), response.headers(), body);
    }

    /** Empty if the header is missing. */
    String header(String name) {
        return headers.firstValue(name).orElse("");
    }

    String requestId() {
        return headers.firstValue("x-request-id").orElse(null);
    }
}
