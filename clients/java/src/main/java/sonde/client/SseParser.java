package sonde.client;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;

/** Parses Server-Sent Events from byte chunks of any size, as specified by the HTML standard. */
final class SseParser {
    /**
     * A frame ended by a blank line, or a comment.
     *
     * @param id of this frame itself; empty resets the last event id; null without an {@code id} field
     * @param event {@code message} unless the frame names one
     * @param data its joined lines; null if it has none, so that it is not an event
     */
    record Frame(String id, String event, String data) {
        static final Frame COMMENT = new Frame(null, null, null);
    }

    private static final byte[] BOM = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

    private final Queue<Frame> frames = new ArrayDeque<>();
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private boolean first = true;
    private boolean afterReturn;
    private String id;
    private String event = "";
    private StringBuilder data;

    void feed(byte[] bytes) {
        for (byte b : bytes) {
            if (b == '\n' && afterReturn) {
                afterReturn = false;
                continue;
            }
            afterReturn = b == '\r';
            if (b == '\n' || b == '\r') endLine();
            else line.write(b);
        }
    }

    /** The next complete frame; null if more bytes are needed. */
    Frame poll() {
        return frames.poll();
    }

    private void endLine() {
        byte[] bytes = line.toByteArray();
        line.reset();
        if (first && bytes.length >= 3 && Arrays.equals(bytes, 0, 3, BOM, 0, 3))
            bytes = Arrays.copyOfRange(bytes, 3, bytes.length);
        first = false;
        // Line ends are never part of a longer UTF-8 sequence, so that a complete line has complete characters.
        take(new String(bytes, StandardCharsets.UTF_8));
    }

    private void take(String text) {
        int colon = text.indexOf(':');
        if (text.isEmpty()) endFrame();
        else if (colon == 0) frames.add(Frame.COMMENT);
        else if (colon < 0) field(text, "");
        else field(text.substring(0, colon), text.substring(colon + (text.startsWith(" ", colon + 1) ? 2 : 1)));
    }

    private void field(String name, String value) {
        switch (name) {
            case "id" -> {
                if (value.indexOf('\0') < 0) id = value;
            }
            case "event" -> event = value;
            case "data" -> {
                if (data == null) data = new StringBuilder(value);
                else data.append('\n').append(value);
            }
            default -> {
                // This includes {@code retry}: the client has its own backoff.
            }
        }
    }

    private void endFrame() {
        if (id != null || data != null)
            frames.add(new Frame(id, event.isEmpty() ? "message" : event, data == null ? null : data.toString()));
        id = null;
        event = "";
        data = null;
    }
}
