package sonde.client;

/**
 * Names an invocation or a chat on record, and has the token that opens it. Records and replies are references
 * themselves; {@link #of(String, String)} makes one of what was stored.
 */
public interface Ref {
    /** @return {@code inv_…} or {@code chat_…} */
    String id();

    /** @return the invocation token; null: the API key of the client opens it */
    String token();

    /**
     * @param id {@code inv_…} or {@code chat_…}
     * @return a reference to what the API key of the client opens
     */
    static Ref of(String id) {
        return of(id, null);
    }

    /**
     * @param id {@code inv_…} or {@code chat_…}
     * @param token {@code ivt_…}, or null
     * @return a reference that opens with the token
     */
    static Ref of(String id, String token) {
        record Named(String id, String token) implements Ref {
            @Override
            public String toString() {
                return id;
            }
        }
        return new Named(id, token);
    }
}
