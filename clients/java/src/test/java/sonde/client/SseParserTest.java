package sonde.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import sonde.client.SseParser.Frame;

class SseParserTest {
    private static final String STREAM = "\uFEFFid: 1\r\nevent: status\r\ndata: {\"짜장면\":\r\ndata:1}\r\n\r\n"
            + ": heartbeat\r\rid: 2\rdata: 炸醬麵😀\r\rretry: 5\nid\ndata\n\nid: 3\n\nevent: cut\ndata: no";

    private static final List<Frame> FRAMES = List.of(
            new Frame("1", "status", "{\"짜장면\":\n1}"),
            Frame.COMMENT,
            new Frame("2", "message", "炸醬麵😀"),
            new Frame("", "message", ""),
            new Frame("3", "message", null));

    @Test
    void doesNotDependOnWhereTheBytesAreSplit() {
        byte[] bytes = STREAM.getBytes(StandardCharsets.UTF_8);
        for (int at = 0; at <= bytes.length; at++)
            assertEquals(
                    FRAMES,
                    parsed(Arrays.copyOfRange(bytes, 0, at), Arrays.copyOfRange(bytes, at, bytes.length)),
                    "cut at byte " + at);
    }

    @Test
    void parsesByteByByte() {
        byte[] bytes = STREAM.getBytes(StandardCharsets.UTF_8);
        byte[][] single = new byte[bytes.length][];
        for (int at = 0; at < bytes.length; at++) single[at] = new byte[] {bytes[at]};
        assertEquals(FRAMES, parsed(single));
    }

    @Test
    void ignoresAnIdWithANul() {
        byte[] bytes = "id: a\0b\ndata: x\n\n".getBytes(StandardCharsets.UTF_8);
        assertEquals(List.of(new Frame(null, "message", "x")), parsed(bytes));
    }

    @Test
    void removesAByteOrderMarkAtTheStartOnly() {
        byte[] bytes = "data: a\n\n\uFEFFdata: b\n\n".getBytes(StandardCharsets.UTF_8);
        assertEquals(List.of(new Frame(null, "message", "a")), parsed(bytes));
    }

    private static List<Frame> parsed(byte[]... pieces) {
        SseParser parser = new SseParser();
        List<Frame> frames = new ArrayList<>();
        for (byte[] piece : pieces) {
            parser.feed(piece);
            for (Frame frame = parser.poll(); frame != null; frame = parser.poll()) frames.add(frame);
        }
        return frames;
    }
}
