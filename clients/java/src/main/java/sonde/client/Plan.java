package sonde.client;

import java.util.List;

/**
 * The plan of research by the agent.
 *
 * @param directions as they were edited, if they were
 * @param estimate what a run would use that reaches all its searches and pages; null for a plan that is not reviewed
 * @param review {@code approved}, {@code edited} or {@code refused}; null before a decision
 * @param reason of the decision
 */
public record Plan(List<Direction> directions, Estimate estimate, String review, String reason) {
    /** Absent directions are none. */
    public Plan {
        directions = directions == null ? List.of() : directions;
    }

    /**
     * A part of the plan.
     *
     * @param title what it is to find out
     * @param queries what it begins with, 1 to 4
     */
    public record Direction(String title, List<String> queries) {}

    /**
     * What a run may use; not a limit.
     *
     * @param searches searches
     * @param pages pages
     * @param modelCalls calls of models
     * @param tokens input and output of all model calls
     * @param costUsd US dollars; null without the prices of its models
     * @param minutes minutes
     */
    public record Estimate(long searches, long pages, long modelCalls, long tokens, Double costUsd, long minutes) {}

    /** Omits what is searched, so that it is safe to log. */
    @Override
    public String toString() {
        return "Plan[" + directions.size() + " directions, review=" + review + "]";
    }
}
