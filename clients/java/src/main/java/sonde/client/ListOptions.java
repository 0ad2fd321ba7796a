package sonde.client;

import java.util.Map;
import java.util.StringJoiner;

/**
 * Filter and page of a list of invocations or stored chats. Immutable: each method returns a copy.
 *
 * @param status only these; null for any
 * @param toolName only of this tool; null for any, and for chats
 * @param search a part of the question or the report; null for any
 * @param metadata pairs that all have; null for any
 * @param from created at this time or later, in RFC 3339; null for any
 * @param to created before this time; null for any
 * @param limit page size, 1 to 100; null for 20
 * @param cursor {@link InvocationList#nextCursor} of the previous page; null for the first
 */
public record ListOptions(
        String status,
        String toolName,
        String search,
        Map<String, String> metadata,
        String from,
        String to,
        Integer limit,
        String cursor) {
    /** The first page of all invocations. */
    public static final ListOptions DEFAULT = new ListOptions(null, null, null, null);

    /**
     * Creates options without the other filters.
     *
     * @param status only these; null for any
     * @param toolName only of this tool; null for any
     * @param limit page size, 1 to 100; null for 20
     * @param cursor {@link InvocationList#nextCursor} of the previous page; null for the first
     */
    public ListOptions(String status, String toolName, Integer limit, String cursor) {
        this(status, toolName, null, null, null, null, limit, cursor);
    }

    /**
     * @param status only these
     * @return a copy with it
     */
    public ListOptions status(String status) {
        return new ListOptions(status, toolName, search, metadata, from, to, limit, cursor);
    }

    /**
     * @param toolName only of this tool
     * @return a copy with it
     */
    public ListOptions toolName(String toolName) {
        return new ListOptions(status, toolName, search, metadata, from, to, limit, cursor);
    }

    /**
     * @param search a part of the question or the report, in upper or lower case
     * @return a copy with it
     */
    public ListOptions search(String search) {
        return new ListOptions(status, toolName, search, metadata, from, to, limit, cursor);
    }

    /**
     * @param metadata pairs that all have
     * @return a copy with it
     */
    public ListOptions metadata(Map<String, String> metadata) {
        return new ListOptions(status, toolName, search, metadata, from, to, limit, cursor);
    }

    /**
     * @param from created at this time or later, in RFC 3339
     * @return a copy with it
     */
    public ListOptions from(String from) {
        return new ListOptions(status, toolName, search, metadata, from, to, limit, cursor);
    }

    /**
     * @param to created before this time, in RFC 3339
     * @return a copy with it
     */
    public ListOptions to(String to) {
        return new ListOptions(status, toolName, search, metadata, from, to, limit, cursor);
    }

    /**
     * @param limit page size, 1 to 100
     * @return a copy with it
     */
    public ListOptions limit(int limit) {
        return new ListOptions(status, toolName, search, metadata, from, to, limit, cursor);
    }

    /**
     * @param cursor {@link InvocationList#nextCursor} of the previous page
     * @return a copy with it
     */
    public ListOptions cursor(String cursor) {
        return new ListOptions(status, toolName, search, metadata, from, to, limit, cursor);
    }

    /** The query of the URL; empty if no option is set. */
    String query() {
        StringJoiner query = new StringJoiner("&", "?", "").setEmptyValue("");
        add(query, "status", status);
        add(query, "tool_name", toolName);
        add(query, "search", search);
        if (metadata != null) metadata.forEach((key, value) -> add(query, "metadata[" + key + "]", value));
        add(query, "from", from);
        add(query, "to", to);
        add(query, "limit", limit);
        add(query, "cursor", cursor);
        return query.toString();
    }

    private static void add(StringJoiner query, String name, Object value) {
        if (value != null) query.add(Call.encoded(name) + "=" + Call.encoded(value.toString()));
    }
}
