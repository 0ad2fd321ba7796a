package sonde.client;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * How a response with tool calling is asked for. Never changed: each method gives a new one.
 *
 * @param sonde runs the research; it never learns the key of the model endpoint
 * @param systemPrompt for the research; null: none
 * @param context put before the prompt
 * @param deliverableFormat of the research, unless the model chooses one; null: the service's default
 * @param onInvocation is told of the research as soon as it is submitted; null: nobody is
 * @param timeout of all together; null: an hour
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
     * @return options with nothing but defaults
     */
    public static ToolCallingOptions with(SondeClient sonde) {
        return new ToolCallingOptions(sonde, null, List.of(), null, null, null);
    }

    /**
     * @param systemPrompt for the research
     * @return a copy with it
     */
    public ToolCallingOptions systemPrompt(String systemPrompt) {
        return new ToolCallingOptions(sonde, systemPrompt, context, deliverableFormat, onInvocation, timeout);
    }

    /**
     * @param context put before the prompt
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
     * @param onInvocation is told of the research as soon as it is submitted
     * @return a copy with it
     */
    public ToolCallingOptions onInvocation(Consumer<Invocation> onInvocation) {
        return new ToolCallingOptions(sonde, systemPrompt, context, deliverableFormat, onInvocation, timeout);
    }

    /**
     * @param timeout of all together
     * @return a copy with it
     */
    public ToolCallingOptions timeout(Duration timeout) {
        return new ToolCallingOptions(sonde, systemPrompt, context, deliverableFormat, onInvocation, timeout);
    }

    /** Without the system prompt and the context: safe to log. */
    @Override
    public String toString() {
        return "ToolCallingOptions[deliverableFormat=" + deliverableFormat + ", timeout=" + timeout + "]";
    }
}
