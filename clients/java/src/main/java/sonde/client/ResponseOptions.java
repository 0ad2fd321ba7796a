package sonde.client;

import java.time.Duration;
import java.util.List;

/**
 * How a response is asked for. Never changed: each method gives a new one.
 *
 * @param background true: it is returned as it was created, see {@link ModelClient#waitForResponse(String)}
 * @param webSearch true: the model may search the web
 * @param instructions to the model; null: none
 * @param context put before the prompt
 * @param timeout how long the reply may take; null: ten minutes
 */
public record ResponseOptions(
        boolean background, boolean webSearch, String instructions, List<String> context, Duration timeout) {
    /** Nothing but defaults. */
    public static final ResponseOptions DEFAULT = new ResponseOptions(false, false, null, List.of(), null);

    /**
     * @param background true: it is returned as it was created
     * @return a copy with it
     */
    public ResponseOptions background(boolean background) {
        return new ResponseOptions(background, webSearch, instructions, context, timeout);
    }

    /**
     * @param webSearch true: the model may search the web
     * @return a copy with it
     */
    public ResponseOptions webSearch(boolean webSearch) {
        return new ResponseOptions(background, webSearch, instructions, context, timeout);
    }

    /**
     * @param instructions to the model
     * @return a copy with them
     */
    public ResponseOptions instructions(String instructions) {
        return new ResponseOptions(background, webSearch, instructions, context, timeout);
    }

    /**
     * @param context put before the prompt
     * @return a copy with it
     */
    public ResponseOptions context(List<String> context) {
        return new ResponseOptions(background, webSearch, instructions, context, timeout);
    }

    /**
     * @param timeout how long the reply may take
     * @return a copy with it
     */
    public ResponseOptions timeout(Duration timeout) {
        return new ResponseOptions(background, webSearch, instructions, context, timeout);
    }

    /** Without the instructions and the context: safe to log. */
    @Override
    public String toString() {
        return "ResponseOptions[background=" + background + ", webSearch=" + webSearch + ", timeout=" + timeout + "]";
    }
}
