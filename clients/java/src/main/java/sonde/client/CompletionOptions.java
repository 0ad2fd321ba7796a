package sonde.client;

import java.time.Duration;
import java.util.List;

/**
 * Options of a chat completion. Immutable: each method returns a copy.
 *
 * @param systemPrompt the system message; null for none
 * @param context prepended to the prompt
 * @param timeout time limit of the call; null for ten minutes
 */
public record CompletionOptions(String systemPrompt, List<String> context, Duration timeout) {
    /** The defaults. */
    public static final CompletionOptions DEFAULT = new CompletionOptions(null, List.of(), null);

    /**
     * @param systemPrompt the system message
     * @return a copy with it
     */
    public CompletionOptions systemPrompt(String systemPrompt) {
        return new CompletionOptions(systemPrompt, context, timeout);
    }

    /**
     * @param context prepended to the prompt
     * @return a copy with it
     */
    public CompletionOptions context(List<String> context) {
        return new CompletionOptions(systemPrompt, context, timeout);
    }

    /**
     * @param timeout time limit of the call
     * @return a copy with it
     */
    public CompletionOptions timeout(Duration timeout) {
        return new CompletionOptions(systemPrompt, context, timeout);
    }

    /** Omits the system prompt and the context, so that it is safe to log. */
    @Override
    public String toString() {
        return "CompletionOptions[timeout=" + timeout + "]";
    }
}
