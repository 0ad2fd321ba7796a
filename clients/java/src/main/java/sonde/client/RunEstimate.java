package sonde.client;

import java.util.List;

/**
 * What a run would use, before it is submitted. Money is in US dollars.
 *
 * @param toolName e.g. {@code deep_research}
 * @param engine {@code hosted}, {@code agent} or {@code plain}
 * @param depth of the agent, as asked for; null for other engines
 * @param limits of the run
 * @param models that it would use
 * @param typical what the last runs of this kind took; null where fewer than five are known
 * @param estimatedDepth the depth that {@code estimate} is made for
 * @param estimate an upper bound, of a run of the agent whose plan is as large as that depth allows; null for other
 *     engines
 * @param budgetLeft what the API key may still spend; null without a budget
 */
public record RunEstimate(
        String toolName,
        String engine,
        String depth,
        RunLimits limits,
        List<Model> models,
        Typical typical,
        String estimatedDepth,
        Plan.Estimate estimate,
        BudgetLeft budgetLeft) {
    /**
     * A model that a run would use.
     *
     * @param model its name
     * @param roles of the agent, e.g. {@code writer}
     * @param inputUsdPerMillion null where the price is not known
     * @param outputUsdPerMillion null where the price is not known
     */
    public record Model(String model, List<String> roles, Double inputUsdPerMillion, Double outputUsdPerMillion) {}

    /**
     * What the last runs took.
     *
     * @param of whose runs these are: {@code key} or {@code installation}
     * @param runs how many
     * @param seconds from begin to end
     * @param costUsd null where it is not known
     */
    public record Typical(String of, long runs, Range seconds, Range costUsd) {}

    /**
     * A range.
     *
     * @param low the lower end
     * @param high the upper end
     */
    public record Range(double low, double high) {}

    /**
     * What may still be spent. Null: there is no limit.
     *
     * @param dayUsd today
     * @param monthUsd this month
     */
    public record BudgetLeft(Double dayUsd, Double monthUsd) {}
}
