package sonde.client.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Timer;
import java.util.TimerTask;

/** On a terminal, one line that says what is waited for, written again and again. */
final class Live {
    private static final int COLUMNS = 79;
    private static final int PERIOD_MS = 1000;

    private final Output output;
    private final long startedAt = System.nanoTime();
    private Timer timer;
    private int searches = -1;
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

    /** Something that an invocation is doing. */
    synchronized void progress(JsonNode data) {
        boolean search = data.path("kind").asText().equals("web_search");
        searches = Math.max(0, searches) + (search ? 1 : 0);
        step = data.path("detail").asText("").replaceAll("\\s+", " ");
    }

    private synchronized String line() {
        long seconds = (System.nanoTime() - startedAt) / 1_000_000_000;
        if (searches < 0) return "waiting, " + seconds + " s";
        String found = searches + (searches == 1 ? " search" : " searches");
        return cut("researching, " + seconds + " s, " + found + (step.isEmpty() ? "" : ": " + step));
    }

    /** What fits into a line; a character beyond the first scripts may take two places. */
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
