package sonde.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.function.Function;

/**
 * A page of the caller's invocations, newest first.
 *
 * @param data the records
 * @param hasMore whether there is another page
 * @param nextCursor the {@link ListOptions#cursor} of the next page; null on the last page
 */
public record InvocationList(List<Invocation> data, boolean hasMore, String nextCursor) {
    static InvocationList of(JsonNode page, Function<JsonNode, Invocation> toRecord) {
        List<Invocation> data = Errors.items(page, "data").map(toRecord).toList();
        return new InvocationList(data, page.path("has_more").asBoolean(), Json.text(page, "next_cursor"));
    }
}
