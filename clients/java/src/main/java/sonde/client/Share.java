package sonde.client;

/**
 * A link that opens the report of a run, for anyone who has it.
 *
 * @param shareId identifies the link
 * @param shareToken opens the report; only in the reply to {@link SondeClient#share(Ref)}, null in a list
 * @param createdAt when it was made
 * @param expiresAt when it opens the report no more
 */
public record Share(String shareId, String shareToken, String createdAt, String expiresAt) {
    /** Omits the token, so that it is safe to log. */
    @Override
    public String toString() {
        return "Share[" + shareId + ", expiresAt=" + expiresAt + "]";
    }
}
