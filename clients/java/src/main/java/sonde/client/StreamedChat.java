package sonde.client;

import java.io.IOException;
import java.time.Duration;
import java.util.Set;

/** The events of a chat that is not stored; a broken connection cannot be resumed. */
final class StreamedChat implements EventStream.Source<ChatEvent> {
    private static final Set<String> LAST = Set.of("completed", "error");
    /** The service sends a heartbeat at least every 15 seconds. */
    private static final Duration IDLE = Duration.ofSeconds(45);

    private final Http http;
    private final Call call;
    private volatile Frames frames;
    private volatile boolean closed;
    private boolean ended;

    StreamedChat(Http http, Call call) {
        this.http = http;
        this.call = call;
    }

    @Override
    public ChatEvent next() {
        if (ended || closed) return null;
        if (frames == null) frames = new Frames(http, call);
        if (closed) frames.close();
        Duration idle = call.timeout().compareTo(IDLE) < 0 ? call.timeout() : IDLE;
        for (; ; ) {
            SseParser.Frame frame = frames.next(idle);
            if (frame == null && closed) return null;
            if (frame == null) throw new SondeConnectionException("the stream ended before the response was complete");
            if (frame.data() == null) continue;
            ChatEvent event = read(frame);
            ended = LAST.contains(event.type());
            return event;
        }
    }

    private static ChatEvent read(SseParser.Frame frame) {
        try {
            return FrameReader.chat(frame);
        } catch (IOException e) {
            throw new SondeProtocolException("two consecutive events are malformed", 200, null);
        }
    }

    @Override
    public void close() {
        closed = true;
        Frames open = frames;
        if (open != null) open.close();
    }
}
