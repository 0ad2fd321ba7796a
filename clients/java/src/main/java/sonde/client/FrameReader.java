package sonde.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;

/** Converts a frame with data to an event. */
interface FrameReader<E> {
    /** @throws IOException if the frame is malformed */
    E read(SseParser.Frame frame) throws IOException;

    /** Reads {@code {"invocation_id","type","status","data"}}; a {@code gap} has no envelope. */
    static InvocationEvent invocation(SseParser.Frame frame) throws IOException {
        JsonNode node = object(frame);
        JsonNode data = node.has("data") ? node.path("data") : node;
        return new InvocationEvent(
                id(frame), frame.event(), Json.text(node, "invocation_id"), Json.text(node, "status"), data);
    }

    /** Reads data without an envelope. */
    static ChatEvent chat(SseParser.Frame frame) throws IOException {
        return new ChatEvent(id(frame), frame.event(), object(frame));
    }

    private static JsonNode object(SseParser.Frame frame) throws IOException {
        JsonNode node = Json.parse(frame.data());
        if (!node.isObject()) throw new IOException("not a JSON object");
        return node;
    }

    private static String id(SseParser.Frame frame) {
        return frame.id() == null || frame.id().isEmpty() ? null : frame.id();
    }
}
