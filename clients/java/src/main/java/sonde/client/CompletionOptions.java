package sonde.client;

import java.time.Duration;
import java.util.List;

/**
 * How a chat completion is asked for. Never changed: each method gives a new one.
 *
 * @param systemPrompt the system message; null: none
 * @param context put before the prompt
 * @param timeout how long the reply may take; null: ten minutes
 */
public record CompletionOptions(String systemPrompt, List<String> context, Duration timeout) {
    /** Nothing but defaults. */
    public static final CompletionOptions DEFAULT = new CompletionOptions(null, List.of(), null);

    /**
     * @param systemPrompt the system message
     * @return a copy with it
     */
    public CompletionOptions systemPrompt(String systemPrompt) {
        return new CompletionOptions(systemPrompt, context, timeout);
    }

    /**
     * @param context put before the prompt
     * @return a copy with it
     */
    public CompletionOptions context(List<String> context) {
        return new CompletionOptions(systemPrompt, context, timeout);
    }

    /**
     * @param timeout how long the reply may take
     * @return a copy with it
     */
    public CompletionOptions timeout(Duration timeout) {
        return new CompletionOptions(systemPrompt, context, timeout);
    }

    /** Without the system prompt and the context: safe to log. */
    @Override
    public String toString() {
        return "CompletionOptions[timeout=" + timeout + "]";
    }
}
