package sonde.client;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Chats on record: those in the background, with an idempotency key, or that wait for a human. */
public final class ChatsClient {
    private final Records<ChatReply, ChatEvent> chats;

    ChatsClient(Http http) {
        chats = Records.ofChats(http);
    }

    /**
     * Reads a chat.
     *
     * @param chat which
     * @return it, as it is now
     */
    public ChatReply get(Ref chat) {
        return chats.get(chat);
    }

    /**
     * Waits until a chat has ended or waits for a human, an hour at the most, also over broken connections.
     *
     * @param chat which
     * @return it, as it is then
     */
    public ChatReply wait(Ref chat) {
        return wait(chat, Polling.DEFAULT_TIMEOUT);
    }

    /**
     * The same, with a limit.
     *
     * @param chat which
     * @param timeout how long
     * @return it, as it is then
     * @throws SondeTimeoutException when the time is over; the chat goes on
     */
    public ChatReply wait(Ref chat, Duration timeout) {
        return chats.wait(chat, timeout);
    }

    /**
     * Follows the events of a chat from the start, over as many connections as it takes.
     *
     * @param chat whose
     * @return events; the last is {@code completed}, {@code error} or {@code gap}
     */
    public EventStream<ChatEvent> events(Ref chat) {
        return events(chat, EventOptions.DEFAULT);
    }

    /**
     * The same, with options.
     *
     * @param chat whose
     * @param options e.g. after which event
     * @return events; the last is {@code completed}, {@code error} or {@code gap}
     */
    public EventStream<ChatEvent> events(Ref chat, EventOptions options) {
        return chats.events(chat, options);
    }

    /**
     * Stops a chat and what its tools do.
     *
     * @param chat which
     * @return it
     */
    public ChatReply cancel(Ref chat) {
        return chats.cancel(chat, null);
    }

    /**
     * Stops a chat if it goes on, and forgets it.
     *
     * @param chat which
     */
    public void delete(Ref chat) {
        chats.delete(chat);
    }

    /**
     * Decides calls that wait for approval. The chat goes on when the last one is decided.
     *
     * @param chat which
     * @param decisions of {@link ChatReply#requiredAction}
     * @return the chat, as it is then
     */
    public ChatReply approve(Ref chat, List<Decision> decisions) {
        return chats.post(chat, "/approvals", Json.tree(Map.of("approvals", decisions)), null);
    }

    /**
     * Answers what the user was asked.
     *
     * @param chat which
     * @param answers to the questions of {@link ChatReply#requiredAction}
     * @return the chat, as it is then
     */
    public ChatReply answer(Ref chat, List<Answer> answers) {
        return chats.post(chat, "/answers", Json.tree(Map.of("answers", answers)), null);
    }
}
