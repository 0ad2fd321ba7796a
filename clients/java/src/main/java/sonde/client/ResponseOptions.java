package sonde.client;

import java.time.Duration;
import java.util.List;

/**
 * Options of a response. Immutable: each method returns a copy.
 *
 * @param background true to return immediately, see {@link ModelClient#waitForResponse(String)}
 * @param webSearch true to let the model search the web
 * @param instructions for the model; null for none
 * @param context prepended to the prompt
 * @param timeout time limit of the call; null for ten minutes
 */
public record ResponseOptions(
        boolean background, boolean webSearch, String instructions, List<String> context, Duration timeout) {
    /** The defaults. */
    public static final ResponseOptions DEFAULT = new ResponseOptions(false, false, null, List.of(), null);

    /**
     * @param background true to return immediately
     * @return a copy with it
     */
    public ResponseOptions background(boolean background) {
        return new ResponseOptions(background, webSearch, instructions, context, timeout);
    }

    /**
     * @param webSearch true to let the model search the web
     * @return a copy with it
     */
    public ResponseOptions webSearch(boolean webSearch) {
        return new ResponseOptions(background, webSearch, instructions, context, timeout);
    }

    /**
     * @param instructions for the model
     * @return a copy with them
     */
    public ResponseOptions instructions(String instructions) {
        return new ResponseOptions(background, webSearch, instructions, context, timeout);
    }

    /**
     * @param context prepended to the prompt
     * @return a copy with it
     */
    public ResponseOptions context(List<String> context) {
        return new ResponseOptions(background, webSearch, instructions, context, timeout);
    }

    /**
     * @param timeout time limit of the call
     * @return a copy with it
     */
    public ResponseOptions timeout(Duration timeout) {
        return new ResponseOptions(background, webSearch, instructions, context, timeout);
    }

    /** Omits the instructions and the context, so that it is safe to log. */
    @Override
    public String toString() {
        return "ResponseOptions[background=" + background + ", webSearch=" + webSearch + ", timeout=" + timeout + "]";
    }
}
