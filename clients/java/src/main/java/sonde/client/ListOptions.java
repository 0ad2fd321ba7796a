package sonde.client;

import java.util.StringJoiner;

/**
 * Filter and page of a list of invocations. Immutable: each method returns a copy.
 *
 * @param status only these; null for any
 * @param toolName only of this tool; null for any
 * @param limit page size, 1 to 100; null for 20
 * @param cursor {@link InvocationList#nextCursor} of the previous page; null for the first
 */
public record ListOptions(String status, String toolName, Integer limit, String cursor) {
    /** The first page of all invocations. */
    public static final ListOptions DEFAULT = new ListOptions(null, null, null, null);

    /**
     * @param status only these
     * @return a copy with it
     */
    public ListOptions status(String status) {
        return new ListOptions(status, toolName, limit, cursor);
    }

    /**
     * @param toolName only of this tool
     * @return a copy with it
     */
    public ListOptions toolName(String toolName) {
        return new ListOptions(status, toolName, limit, cursor);
    }

    /**
     * @param limit page size, 1 to 100
     * @return a copy with it
     */
    public ListOptions limit(int limit) {
        return new ListOptions(status, toolName, limit, cursor);
    }

    /**
     * @param cursor {@link InvocationList#nextCursor} of the previous page
     * @return a copy with it
     */
    public ListOptions cursor(String cursor) {
        return new ListOptions(status, toolName, limit, cursor);
    }

    /** The query of the URL; empty if no option is set. */
    String query() {
        StringJoiner query = new StringJoiner("&", "?", "").setEmptyValue("");
        add(query, "status", status);
        add(query, "tool_name", toolName);
        add(query, "limit", limit);
        add(query, "cursor", cursor);
        return query.toString();
    }

    private static void add(StringJoiner query, String name, Object value) {
        if (value != null) query.add(name + "=" + Call.encoded(value.toString()));
    }
}
