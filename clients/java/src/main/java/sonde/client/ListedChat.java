package sonde.client;

import java.util.Map;

/**
 * A stored chat without its answer, which {@link ChatsClient#get(String)} returns. Times are RFC 3339, UTC.
 *
 * @param chatId {@code chat_…}
 * @param status see {@link ChatReply#status}
 * @param question the last message of the user, at most its first 1,000 characters
 * @param metadata as it was given
 * @param cost of all turns of the model, where it is known
 * @param error why the chat failed
 * @param createdAt time of creation
 * @param startedAt when a worker started it
 * @param completedAt when it ended
 * @param expiresAt when the record will be deleted
 */
public record ListedChat(
        String chatId,
        String status,
        String question,
        Map<String, String> metadata,
        Cost cost,
        ChatError error,
        String createdAt,
        String startedAt,
        String completedAt,
        String expiresAt) {
    /** Omits the question and the metadata, so that it is safe to log. */
    @Override
    public String toString() {
        return "ListedChat[" + chatId + ", " + status + "]";
    }
}
