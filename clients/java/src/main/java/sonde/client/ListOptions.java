package sonde.client;

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
}
