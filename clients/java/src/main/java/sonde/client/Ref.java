package sonde.client;

/**
 * Identifies an invocation or a stored chat, with the token that grants access. Records and replies are references
 * themselves; {@link #of(String, String)} creates one from stored values.
 */
public interface Ref {
    /** @return {@code inv_…} or {@code chat_…} */
    String id();

    /** @return the invocation token; null if the API key of the client grants access */
    String token();

    /**
     * @param id {@code inv_…} or {@code chat_…}
     * @return a reference without a token, for clients with an API key
     */
    static Ref of(String id) {
        return of(id, null);
    }

    /**
     * @param id {@code inv_…} or {@code chat_…}
     * @param token {@code ivt_…}, or null
     * @return a reference with the token
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
