package sonde.client;

import com.fasterxml.jackson.annotation.JsonInclude;

/**
 * What a human decided on a call.
 *
 * @param callId of {@link RequiredAction.Approval}
 * @param approve false: the call is not made, and the model is told so
 * @param reason told to the model; null for none
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Decision(String callId, boolean approve, String reason) {
    /**
     * @param callId of {@link RequiredAction.Approval}
     * @return lets the call be made
     */
    public static Decision approve(String callId) {
        return new Decision(callId, true, null);
    }

    /**
     * @param callId of {@link RequiredAction.Approval}
     * @param reason told to the model; null for none
     * @return forbids the call
     */
    public static Decision refuse(String callId, String reason) {
        return new Decision(callId, false, reason);
    }
}
