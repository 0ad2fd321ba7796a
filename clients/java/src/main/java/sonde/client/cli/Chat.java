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
        this.told = new Told(run, !run.stream());
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
        // Its id is not known before it has ended; the same again, without waiting, has it.
        run.interrupt().findBy(() -> underWay(run, sonde.chat(request, options.waitAtMost(Duration.ZERO))));
        ChatReply reply = sonde.chat(request, options.waitAtMost(run.held()));
        if (reply.isSettled()) return reply;
        run.interrupt().knows(underWay(run, reply));
        told.record(reply);
        try {
            return follow(run, told, reply);
        } catch (SondeException e) {
            // Its events are there to be shown; the record itself comes over any connection.
            return sonde.chats().wait(reply, Run.ANY_TIME);
        }
    }

    private ChatReply followed() {
        ChatRequest background = request.background(true);
        run.interrupt().findBy(() -> underWay(run, sonde.chat(background, options)));
        ChatReply begun = sonde.chat(background, options);
        run.interrupt().knows(underWay(run, begun));
        told.record(begun);
        return follow(run, told, begun);
    }

    /** Shows what happens in it until it has ended, or waits for a human. */
    static ChatReply follow(Run run, Told told, Ref ref) {
        try (EventStream<ChatEvent> events = run.sonde().chats().events(ref)) {
            for (ChatEvent event : events) {
                told.event(event);
                if (run.stream() && run.json()) run.output().write(Run.json(event) + "\n");
                else if (run.stream()) told.delta(event);
                if (event.type().equals("requires_action")) break;
            }
        }
        // Settled already, but after a gap.
        return run.sonde().chats().wait(ref, Run.ANY_TIME);
    }

    /** What a chat on record leaves behind when its caller goes. */
    static UnderWay underWay(Run run, Ref ref) {
        return new UnderWay(
                ref.id(), () -> run.sonde().chats().cancel(ref), run.tokens().keep(ref.id(), ref.token()));
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
