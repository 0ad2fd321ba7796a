package sonde.client.cli;

import java.time.Duration;
import java.util.UUID;
import sonde.client.ChatEvent;
import sonde.client.ChatOptions;
import sonde.client.ChatReply;
import sonde.client.ChatRequest;
import sonde.client.EventStream;
import sonde.client.SondeClient;

/** A chat with Sonde, in which the model decides whether to research. */
final class Chat {
    private final Run run;
    private final SondeClient sonde;
    private final Told told;
    private final ChatRequest request;
    private final ChatOptions options = ChatOptions.DEFAULT
            .idempotencyKey(UUID.randomUUID().toString())
            .timeout(Run.ANY_TIME);

    Chat(Run run) {
        this.run = run;
        this.sonde = run.sonde();
        this.told = new Told(run);
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
        return told.end(run.flags().has("--background") ? followed() : awaited());
    }

    private ChatReply awaited() {
        // Its id is not known before it has ended; the same again, without waiting, tells it.
        run.interrupt().cancelBy(() ->
                sonde.chats().cancel(sonde.chat(request, options.waitAtMost(Duration.ZERO))));
        ChatReply reply = sonde.chat(request, options.waitAtMost(run.held()));
        if (reply.isSettled()) return reply;
        run.interrupt().cancelBy(() -> sonde.chats().cancel(reply));
        told.record(reply);
        return sonde.chats().wait(reply, Run.ANY_TIME);
    }

    private ChatReply followed() {
        ChatRequest background = request.background(true);
        run.interrupt().cancelBy(() -> sonde.chats().cancel(sonde.chat(background, options)));
        ChatReply begun = sonde.chat(background, options);
        run.interrupt().cancelBy(() -> sonde.chats().cancel(begun));
        told.record(begun);
        try (EventStream<ChatEvent> events = sonde.chats().events(begun)) {
            for (ChatEvent event : events) {
                told.event(event);
                if (event.type().equals("requires_action")) break;
            }
        }
        // Settled already, but after a gap.
        return sonde.chats().wait(begun, Run.ANY_TIME);
    }

    private int streamed() {
        try (EventStream<ChatEvent> events = sonde.chatStream(request, Run.ANY_TIME)) {
            for (ChatEvent event : events) {
                told.event(event);
                if (run.json()) run.output().write(Run.json(event) + "\n");
                else told.delta(event);
                if (event.type().equals("completed")) return told.end(event.reply());
                if (event.type().equals("error")) return told.failed(event.data().path("message").asText("failed"));
            }
        }
        throw new IllegalStateException("a stream that has no end is an error of its own");
    }
}
