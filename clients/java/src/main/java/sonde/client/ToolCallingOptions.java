package sonde.client;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * Options of a response with tool calling. Immutable: each method returns a copy.
 *
 * @param sonde runs the research; it is never sent the key of the model endpoint
 * @param systemPrompt instructions for the research; null for none
 * @param context prepended to the prompt
 * @param deliverableFormat of the research, unless the model chooses one; null for the service's default
 * @param onInvocation called with the record once the research is submitted; null for none
 * @param timeout of the whole call; null for one hour
 */
public record ToolCallingOptions(
        SondeClient sonde,
        String systemPrompt,
        List<String> context,
        String deliverableFormat,
        Consumer<Invocation> onInvocation,
        Duration timeout) {
    /**
     * @param sonde runs the research
     * @return the defaults
     */
    public static ToolCallingOptions with(SondeClient sonde) {
        return new ToolCallingOptions(sonde, null, List.of(), null, null, null);
    }

    /**
     * @param systemPrompt instructions for the research
     * @return a copy with it
     */
    public ToolCallingOptions systemPrompt(String systemPrompt) {
        return new ToolCallingOptions(sonde, systemPrompt, context, deliverableFormat, onInvocation, timeout);
    }

    /**
     * @param context prepended to the prompt
     * @return a copy with it
     */
    public ToolCallingOptions context(List<String> context) {
        return new ToolCallingOptions(sonde, systemPrompt, context, deliverableFormat, onInvocation, timeout);
    }

    /**
     * @param deliverableFormat {@code markdown_brief}, {@code markdown_report} or {@code json_outline}
     * @return a copy with it
     */
    public ToolCallingOptions deliverableFormat(String deliverableFormat) {
        return new ToolCallingOptions(sonde, systemPrompt, context, deliverableFormat, onInvocation, timeout);
    }

    /**
     * @param onInvocation called with the record once the research is submitted
     * @return a copy with it
     */
    public ToolCallingOptions onInvocation(Consumer<Invocation> onInvocation) {
        return new ToolCallingOptions(sonde, systemPrompt, context, deliverableFormat, onInvocation, timeout);
    }

    /**
     * @param timeout of the whole call
     * @return a copy with it
     */
    public ToolCallingOptions timeout(Duration timeout) {
        return new ToolCallingOptions(sonde, systemPrompt, context, deliverableFormat, onInvocation, timeout);
    }

    /** Omits the system prompt and the context, so that it is safe to log. */
    @Override
    public String toString() {
        return "ToolCallingOptions[deliverableFormat=" + deliverableFormat + ", timeout=" + timeout + "]";
    }
}
