package sonde.client;

import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Function;

/** Every event of a log once and in order, over as many connections as it takes. */
final class FollowedEvents<E> implements EventStream.Source<E> {
    private static final Set<String> LAST = Set.of("completed", "error", "gap");

    private final Http http;
    private final Call call;
    private final FrameReader<E> reader;
    private final Function<E, String> type;
    private final EventOptions options;
    private final Set<String> seen = new HashSet<>();
    private volatile Frames frames;
    private volatile boolean closed;
    private String lastId;
    private Deadline patience;
    private int failures;
    private int unreadable;
    private boolean ended;

    FollowedEvents(Http http, Call call, FrameReader<E> reader, Function<E, String> type, EventOptions options) {
        this.http = http;
        this.call = call;
        this.reader = reader;
        this.type = type;
        this.options = options;
        this.lastId = options.lastEventId();
        if (lastId != null) seen.add(lastId);
    }

    @Override
    public E next() {
        if (ended) return null;
        // How long the caller took for the last event is not the service's silence.
        heard();
        while (!closed) {
            try {
                E event = read();
                if (event != null) return event;
            } catch (SondeException e) {
                if (closed) break;
                if (!Backoff.isPassing(e)) throw e;
                reconnect(e);
            } catch (IOException e) {
                if (++unreadable == 2) throw new SondeProtocolException("two consecutive events are malformed", 200, null);
                reconnect(null);
            }
        }
        return null;
    }

    /** The next event; null if there is none in what came next. */
    private E read() throws IOException {
        if (frames == null) frames = new Frames(http, resumed());
        if (closed) frames.close();
        SseParser.Frame frame = frames.next(options.idleTimeout());
        if (frame == null) {
            if (!closed) reconnect(null);
            return null;
        }
        heard();
        boolean known = frame.id() != null && seen.contains(frame.id());
        if (known || frame == SseParser.Frame.COMMENT) return null;
        E event = frame.data() == null ? null : reader.read(frame);
        if (frame.id() != null) lastId = frame.id();
        if (event == null) return null;
        if (frame.id() != null && !frame.id().isEmpty()) seen.add(frame.id());
        failures = 0;
        unreadable = 0;
        ended = LAST.contains(type.apply(event));
        return event;
    }

    private void heard() {
        patience = Deadline.in(options.giveUpAfter());
    }

    private Call resumed() {
        Duration most = options.idleTimeout();
        Duration timeout = patience.left().compareTo(most) < 0 ? patience.left() : most;
        return call.header("Last-Event-ID", lastId == null || lastId.isEmpty() ? null : lastId)
                .timeout(timeout);
    }

    /** Leaves the connection and waits: not at all the first time, then longer and longer. */
    private void reconnect(SondeException cause) {
        if (frames != null) frames.close();
        frames = null;
        Duration delay = Backoff.again(failures++, cause);
        if (patience.left().compareTo(delay) <= 0)
            throw new SondeConnectionException("no events for " + Seconds.of(options.giveUpAfter())
                    + " s; the run may still be in progress");
        Backoff.sleep(delay);
    }

    @Override
    public void close() {
        closed = true;
        Frames open = frames;
        if (open != null) open.close();
    }
}
