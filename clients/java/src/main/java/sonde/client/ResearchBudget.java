package sonde.client;

import java.util.Map;

/** Limits of a run of the agent. Immutable: each method returns a copy. */
public final class ResearchBudget extends Fields<ResearchBudget> {
    private ResearchBudget(Map<String, ?> fields) {
        super(fields);
    }

    /** @return a budget without limits of its own */
    public static ResearchBudget of() {
        return new ResearchBudget(Map.of());
    }

    @Override
    ResearchBudget copy(Map<String, Object> fields) {
        return new ResearchBudget(fields);
    }

    /**
     * @param maxCostUsd US dollars; needs the prices of all models that are used
     * @return a copy with it
     */
    public ResearchBudget maxCostUsd(double maxCostUsd) {
        return with("max_cost_usd", maxCostUsd);
    }

    /**
     * @param maxSearches searches
     * @return a copy with it
     */
    public ResearchBudget maxSearches(int maxSearches) {
        return with("max_searches", maxSearches);
    }

    /**
     * @param maxPages pages
     * @return a copy with it
     */
    public ResearchBudget maxPages(int maxPages) {
        return with("max_pages", maxPages);
    }

    /**
     * @param maxTokens input and output of all model calls
     * @return a copy with it
     */
    public ResearchBudget maxTokens(long maxTokens) {
        return with("max_tokens", maxTokens);
    }

    /**
     * @param maxSeconds seconds
     * @return a copy with it
     */
    public ResearchBudget maxSeconds(long maxSeconds) {
        return with("max_seconds", maxSeconds);
    }
}
