package sonde.client;

import com.fasterxml.jackson.annotation.JsonInclude;

/**
 * The decision on a pending tool call.
 *
 * @param callId of {@link RequiredAction.Approval}
 * @param approve false to reject the call, which the model is informed of
 * @param reason passed to the model; null for none
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Decision(String callId, boolean approve, String reason) {
    /**
     * @param callId of {@link RequiredAction.Approval}
     * @return approves the call
     */
    public static Decision approve(String callId) {
        return new Decision(callId, true, null);
    }

    /**
     * @param callId of {@link RequiredAction.Approval}
     * @param reason passed to the model; null for none
     * @return rejects the call
     */
    public static Decision refuse(String callId, String reason) {
        return new Decision(callId, false, reason);
    }
}
