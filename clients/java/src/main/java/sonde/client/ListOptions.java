package sonde.client;

import java.util.StringJoiner;

/**
 * Which invocations are listed. Never changed: each method gives a new one.
 *
 * @param status only these; null: any
 * @param toolName only of this tool; null: any
 * @param limit 1 to 100 at a time; null: 20
 * @param cursor {@link InvocationList#nextCursor} of the page before; null: the first page
 */
public record ListOptions(String status, String toolName, Integer limit, String cursor) {
    /** The newest of all. */
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
     * @param limit 1 to 100 at a time
     * @return a copy with it
     */
    public ListOptions limit(int limit) {
        return new ListOptions(status, toolName, limit, cursor);
    }

    /**
     * @param cursor {@link InvocationList#nextCursor} of the page before
     * @return a copy with it
     */
    public ListOptions cursor(String cursor) {
        return new ListOptions(status, toolName, limit, cursor);
    }

    /** As a part of a URL; empty if nothing is asked for. */
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
