package sonde.client;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Stored chats: started in the background or with an idempotency key, or in {@code requires_action}. */
public final class ChatsClient {
    private final Http http;
    private final Records<ChatReply, ChatEvent> chats;

    ChatsClient(Http http) {
        this.http = http;
        chats = Records.ofChats(http);
    }

    /**
     * Reads a chat of the API key.
     *
     * @param id {@code chat_…}
     * @return its current state
     */
    public ChatReply get(String id) {
        return get(Ref.of(id));
    }

    /**
     * Reads a chat.
     *
     * @param chat the chat
     * @return its current state
     */
    public ChatReply get(Ref chat) {
        return chats.get(chat);
    }

    /**
     * Lists the stored chats of the API key, newest first.
     *
     * @param options filter and page
     * @return one page
     */
    public ChatList list(ListOptions options) {
        return ChatList.of(http.json(Call.get(Requests.CHAT + options.query())));
    }

    /**
     * Waits until a chat ends or requires action, across broken connections, for at most one hour.
     *
     * @param chat the chat
     * @return its state at that time
     */
    public ChatReply wait(Ref chat) {
        return wait(chat, Polling.DEFAULT_TIMEOUT);
    }

    /**
     * Like {@link #wait(Ref)} with a time limit.
     *
     * @param chat the chat
     * @param timeout the time limit
     * @return its state at that time
     * @throws SondeTimeoutException when the time limit elapses; the chat continues
     */
    public ChatReply wait(Ref chat, Duration timeout) {
        return chats.wait(chat, timeout);
    }

    /**
     * Follows the events of a chat from the start, reconnecting as often as needed.
     *
     * @param chat the chat
     * @return events; the last is {@code completed}, {@code error} or {@code gap}
     */
    public EventStream<ChatEvent> events(Ref chat) {
        return events(chat, EventOptions.DEFAULT);
    }

    /**
     * Like {@link #events(Ref)} with options.
     *
     * @param chat the chat
     * @param options e.g. the event to resume after
     * @return events; the last is {@code completed}, {@code error} or {@code gap}
     */
    public EventStream<ChatEvent> events(Ref chat, EventOptions options) {
        return chats.events(chat, options);
    }

    /**
     * Cancels a chat and the tool runs that it started.
     *
     * @param chat the chat
     * @return its state
     */
    public ChatReply cancel(Ref chat) {
        return chats.cancel(chat, null);
    }

    /**
     * Deletes a chat, cancelling it first if it is still running.
     *
     * @param chat the chat
     */
    public void delete(Ref chat) {
        chats.delete(chat, "");
    }

    /**
     * Approves or rejects pending tool calls. The chat continues once every pending call has a decision.
     *
     * @param chat the chat
     * @param decisions for the approvals of {@link ChatReply#requiredAction}
     * @return its state at that time
     */
    public ChatReply approve(Ref chat, List<Decision> decisions) {
        return chats.post(chat, "/approvals", Json.tree(Map.of("approvals", decisions)), null);
    }

    /**
     * Answers the pending questions.
     *
     * @param chat the chat
     * @param answers to the questions of {@link ChatReply#requiredAction}
     * @return its state at that time
     */
    public ChatReply answer(Ref chat, List<Answer> answers) {
        return chats.post(chat, "/answers", Json.tree(Map.of("answers", answers)), null);
    }
}
