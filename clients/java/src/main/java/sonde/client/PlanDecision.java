package sonde.client;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;

/**
 * The decision on the plan of a run.
 *
 * @param approve false to end the run as {@code cancelled}
 * @param plan replaces the proposed directions; null to keep them
 * @param reason kept in the record; null for none
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PlanDecision(boolean approve, Edited plan, String reason) {
    /**
     * A plan in place of the proposed one.
     *
     * @param directions 1 to 6
     */
    public record Edited(List<Plan.Direction> directions) {
        /** Omits what is searched, so that it is safe to log. */
        @Override
        public String toString() {
            return "Edited[" + (directions == null ? 0 : directions.size()) + " directions]";
        }
    }

    /** @return approves the plan as it was proposed */
    public static PlanDecision approved() {
        return new PlanDecision(true, null, null);
    }

    /**
     * @param directions 1 to 6 that replace the proposed ones
     * @return approves them
     */
    public static PlanDecision edited(List<Plan.Direction> directions) {
        return new PlanDecision(true, new Edited(directions), null);
    }

    /** @return refuses the plan */
    public static PlanDecision refused() {
        return new PlanDecision(false, null, null);
    }

    /**
     * @param reason kept in the record
     * @return a copy with it
     */
    public PlanDecision because(String reason) {
        return new PlanDecision(approve, plan, reason);
    }
}
