package sonde.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;

/** The events of a chat that is not stored; a broken connection cannot be resumed. */
final class StreamedChat implements EventStream.Source<ChatEvent> {
    private static final Set<String> LAST = Set.of("completed", "error");
    /** The service sends a heartbeat at least every 15 seconds. */
    private static final Duration IDLE = Duration.ofSeconds(45);

    private final Http http;
    private final FunctionChat chat;
    private final Duration timeout;
    private volatile Frames frames;
    private volatile boolean closed;
    private boolean ended;

    StreamedChat(Http http, FunctionChat chat, Duration timeout) {
        this.http = http;
        this.chat = chat;
        this.timeout = timeout;
    }

    @Override
    public ChatEvent next() {
        while (!ended && !closed) {
            ChatEvent event = ofRequest();
            if (event == null) return null;
            if (!LAST.contains(event.type())) return chat.counted(event);
            JsonNode reply = chat.whole(event.data());
            ended = !event.type().equals("completed") || !chat.goesOn(reply, null);
            if (ended) return event.type().equals("completed") ? new ChatEvent(event.id(), event.type(), reply) : event;
            frames.close();
            frames = null;
        }
        return null;
    }

    /** The next event of the request under way. */
    private ChatEvent ofRequest() {
        if (frames == null) {
            ObjectNode body = chat.body().deepCopy();
            Call call = Call.post(Requests.CHAT, body.put("stream", true), Backoff.Policy.REFUSED);
            frames = new Frames(http, call.timeout(timeout));
        }
        if (closed) frames.close();
        Duration idle = timeout.compareTo(IDLE) < 0 ? timeout : IDLE;
        for (; ; ) {
            SseParser.Frame frame = frames.next(idle);
            if (frame == null && closed) return null;
            if (frame == null) throw new SondeConnectionException("the stream ended before the response was complete");
            if (frame.data() != null) return read(frame);
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
        chat.cancel();
    }
}
