package sonde.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * A page of the caller's stored chats, newest first.
 *
 * @param data the chats
 * @param hasMore whether there is another page
 * @param nextCursor the {@link ListOptions#cursor} of the next page; null on the last page
 */
public record ChatList(List<ListedChat> data, boolean hasMore, String nextCursor) {
    static ChatList of(JsonNode page) {
        List<ListedChat> data = Errors.items(page, "data")
                .map(chat -> Errors.converted(chat, ListedChat.class))
                .toList();
        return new ChatList(data, page.path("has_more").asBoolean(), Json.text(page, "next_cursor"));
    }
}
