package sonde.client;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;

/** The frames of one connection. */
final class Frames implements AutoCloseable {
    private final Http http;
    private final ByteStream bytes;
    private final SseParser parser = new SseParser();

    Frames(Http http, Call call) {
        this.http = http;
        this.bytes = http.events(call);
    }

    /**
     * The next frame or comment; null at the end.
     *
     * @throws SondeTimeoutException if no bytes arrive for that long
     */
    SseParser.Frame next(Duration idle) {
        try {
            for (SseParser.Frame frame = parser.poll(); ; frame = parser.poll()) {
                if (frame != null) return frame;
                byte[] more = bytes.next(Deadline.in(idle));
                if (more == null) return null;
                parser.feed(more);
            }
        } catch (SocketTimeoutException e) {
            throw http.timedOut();
        } catch (IOException e) {
            throw http.broken(e.getCause());
        }
    }

    @Override
    public void close() {
        bytes.close();
    }
}
