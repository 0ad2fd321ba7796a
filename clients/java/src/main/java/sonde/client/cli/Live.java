package sonde.client.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.StringJoiner;
import java.util.Timer;
import java.util.TimerTask;

/** A status line on a terminal that is redrawn every second. */
final class Live {
    private static final int COLUMNS = 79;
    private static final int PERIOD_MS = 1000;
    /** Without a terminal, steps of the same kind are printed at most once in this time. */
    private static final long REPEAT_INTERVAL_NS = 10_000_000_000L;

    private final Output output;
    private final long startedAt = System.nanoTime();
    private Timer timer;
    /** Number of steps of each kind. */
    private final Map<String, Integer> kinds = new LinkedHashMap<>();
    private String lastKind = "";
    private long lastAt;
    private String step = "";

    Live(Output output) {
        this.output = output;
    }

    synchronized void start() {
        if (timer != null) return;
        timer = new Timer("live line", true);
        TimerTask draw = new TimerTask() {
            @Override
            public void run() {
                output.draw(line());
            }
        };
        timer.schedule(draw, PERIOD_MS, PERIOD_MS);
    }

    synchronized void stop() {
        if (timer != null) timer.cancel();
        timer = null;
    }

    /**
     * Records a step.
     *
     * @return the line to print if there is no status line; null if the step repeats the last kind
     */
    synchronized String progress(JsonNode data) {
        String kind = data.path("kind").asText();
        kinds.merge(kind, 1, Integer::sum);
        step = oneLine(data.path("detail").isNull() ? "" : data.path("detail").asText(""));
        long now = System.nanoTime();
        if (lastKind.equals(kind) && now - lastAt < REPEAT_INTERVAL_NS) return null;
        lastKind = kind;
        lastAt = now;
        return "[" + seconds() + " s] " + kind + (step.isEmpty() ? "" : ": " + step);
    }

    /** Replaces line ends and other control characters, which a terminal would interpret. */
    static String oneLine(String text) {
        return text.replaceAll("[\\p{Cc}\\p{Z}]+", " ").replaceAll("^ | $", "");
    }

    private synchronized String line() {
        if (kinds.isEmpty()) return "waiting, " + seconds() + " s";
        StringJoiner found = new StringJoiner(", ");
        kinds.forEach((kind, count) -> found.add(kind + " " + count));
        return cut("researching, " + seconds() + " s, " + found + (step.isEmpty() ? "" : ": " + step));
    }

    private long seconds() {
        return Math.round((System.nanoTime() - startedAt) / 1e9);
    }

    /** Truncates to the width of a line; characters from U+1100 are counted as two columns. */
    private static String cut(String text) {
        int width = 0;
        StringBuilder fits = new StringBuilder();
        for (int c : text.codePoints().toArray()) {
            width += c < 0x1100 ? 1 : 2;
            if (width > COLUMNS) break;
            fits.appendCodePoint(c);
        }
        return fits.toString();
    }
}
