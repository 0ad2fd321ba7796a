package sonde.client.cli;

import java.time.Duration;
import java.util.UUID;
import sonde.client.ChatEvent;
import sonde.client.ChatOptions;
import sonde.client.ChatReply;
import sonde.client.ChatRequest;
import sonde.client.EventStream;
import sonde.client.Ref;
import sonde.client.SondeClient;
import sonde.client.SondeException;

/** Runs a chat with Sonde, in which the model decides whether to research. */
final class Chat {
    private final Run run;
    private final SondeClient sonde;
    private final ChatOutput chatOutput;
    private final ChatRequest request;
    private final ChatOptions options = ChatOptions.DEFAULT
            .idempotencyKey(UUID.randomUUID().toString())
            .timeout(Run.MAX_TIMEOUT);

    Chat(Run run) {
        this.run = run;
        this.sonde = run.sonde();
        this.chatOutput = new ChatOutput(run, !run.stream());
        this.request = request(run);
    }

    private static ChatRequest request(Run run) {
        Flags flags = run.flags();
        ChatRequest request = ChatRequest.of(run.prompt());
        if (!flags.context.isEmpty()) request = request.context(flags.context);
        if (flags.systemPrompt() != null) request = request.systemPrompt(flags.systemPrompt());
        if (flags.deliverableFormat() == null) return request;
        return request.deliverableFormat(flags.deliverableFormat());
    }

    int run() {
        if (run.stream()) return streamed();
        return chatOutput.end(run.flags().has("--background") ? followed() : awaited());
    }

    private ChatReply awaited() {
        // The id is unknown until the reply arrives; the same request with the same key and no wait returns it.
        run.interrupt().findWith(() -> activeRun(run, sonde.chat(request, options.waitAtMost(Duration.ZERO))));
        ChatReply reply = sonde.chat(request, options.waitAtMost(run.foregroundWait()));
        if (reply.isSettled()) return reply;
        run.interrupt().track(activeRun(run, reply));
        chatOutput.record(reply);
        try {
            return follow(run, chatOutput, reply);
        } catch (SondeException e) {
            // Events are only displayed; if they fail, the record is still fetched.
            return sonde.chats().wait(reply, Run.MAX_TIMEOUT);
        }
    }

    private ChatReply followed() {
        ChatRequest background = request.background(true);
        run.interrupt().findWith(() -> activeRun(run, sonde.chat(background, options)));
        ChatReply submitted = sonde.chat(background, options);
        run.interrupt().track(activeRun(run, submitted));
        chatOutput.record(submitted);
        return follow(run, chatOutput, submitted);
    }

    /** Prints the events of a chat until it ends or requires action. */
    static ChatReply follow(Run run, ChatOutput chatOutput, Ref ref) {
        try (EventStream<ChatEvent> events = run.sonde().chats().events(ref)) {
            for (ChatEvent event : events) {
                chatOutput.event(event);
                if (run.stream() && run.json()) run.output().write(Run.json(event) + "\n");
                else if (run.stream()) chatOutput.delta(event);
                if (event.type().equals("requires_action")) break;
            }
        }
        // Returns immediately, except after a gap.
        return run.sonde().chats().wait(ref, Run.MAX_TIMEOUT);
    }

    /** A stored chat, which continues after this process has exited. */
    static ActiveRun activeRun(Run run, Ref ref) {
        return new ActiveRun(
                ref.id(), () -> run.sonde().chats().cancel(ref), run.tokens().save(ref.id(), ref.token()));
    }

    private int streamed() {
        try (EventStream<ChatEvent> events = sonde.chatStream(request, Run.MAX_TIMEOUT)) {
            for (ChatEvent event : events) {
                chatOutput.event(event);
                if (run.json()) run.output().write(Run.json(event) + "\n");
                else chatOutput.delta(event);
                if (event.type().equals("completed")) return chatOutput.end(event.reply());
                if (event.type().equals("error")) return chatOutput.failed(event.data().path("message").asText("failed"));
            }
        }
        throw new IllegalStateException("a stream that has no end is an error of its own");
    }
}
