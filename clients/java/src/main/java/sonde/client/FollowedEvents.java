package sonde.client;

import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Function;

/** Every event of a log once and in order, over as many connections as needed. */
final class FollowedEvents<E> implements EventStream.Source<E> {
    private static final Set<String> TERMINAL_EVENTS = Set.of("completed", "error", "gap");

    private final Http http;
    private final Call call;
    private final FrameReader<E> reader;
    private final Function<E, String> type;
    private final EventOptions options;
    private final Set<String> seen = new HashSet<>();
    private volatile Frames frames;
    private volatile boolean closed;
    private String lastId;
    private Deadline giveUpAt;
    private int failures;
    private int malformed;
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
        // Time that the caller took for the last event does not count as silence of the service.
        received();
        while (!closed) {
            try {
                E event = read();
                if (event != null) return event;
            } catch (SondeException e) {
                if (closed) break;
                if (!Backoff.isTransient(e)) throw e;
                reconnect(e);
            } catch (IOException e) {
                if (++malformed == 2) throw new SondeProtocolException("two consecutive events are malformed", 200, null);
                reconnect(null);
            }
        }
        return null;
    }

    /** The next event; null if the frame contained none. */
    private E read() throws IOException {
        if (frames == null) frames = new Frames(http, resumeCall());
        if (closed) frames.close();
        SseParser.Frame frame = frames.next(options.idleTimeout());
        if (frame == null) {
            if (!closed) reconnect(null);
            return null;
        }
        received();
        boolean duplicate = frame.id() != null && seen.contains(frame.id());
        if (duplicate || frame == SseParser.Frame.COMMENT) return null;
        E event = frame.data() == null ? null : reader.read(frame);
        if (frame.id() != null) lastId = frame.id();
        if (event == null) return null;
        if (frame.id() != null && !frame.id().isEmpty()) seen.add(frame.id());
        failures = 0;
        malformed = 0;
        ended = TERMINAL_EVENTS.contains(type.apply(event));
        return event;
    }

    private void received() {
        giveUpAt = Deadline.in(options.giveUpAfter());
    }

    private Call resumeCall() {
        Duration most = options.idleTimeout();
        Duration timeout = giveUpAt.remaining().compareTo(most) < 0 ? giveUpAt.remaining() : most;
        return call.header("Last-Event-ID", lastId == null || lastId.isEmpty() ? null : lastId)
                .timeout(timeout);
    }

    /** Closes the connection and waits, with no delay the first time and the backoff afterwards. */
    private void reconnect(SondeException cause) {
        if (frames != null) frames.close();
        frames = null;
        Duration delay = Backoff.reconnectDelay(failures++, cause);
        if (giveUpAt.remaining().compareTo(delay) <= 0)
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
