package sonde.client;

import java.util.List;
import java.util.Map;

/** The arguments of {@code deep_research}. Immutable: each method returns a copy. */
public final class ResearchArguments extends Fields<ResearchArguments> {
    private ResearchArguments(Map<String, ?> fields) {
        super(fields);
    }

    /**
     * @param question 1 to 32,000 characters, understandable without further context
     * @return arguments with only this question
     */
    public static ResearchArguments of(String question) {
        return new ResearchArguments(Map.of("research_question", question));
    }

    @Override
    ResearchArguments copy(Map<String, Object> fields) {
        return new ResearchArguments(fields);
    }

    /**
     * @param systemPrompt instructions for the research model
     * @return a copy with it
     */
    public ResearchArguments systemPrompt(String systemPrompt) {
        return with("system_prompt", systemPrompt);
    }

    /**
     * @param context facts to start from
     * @return a copy with them
     */
    public ResearchArguments context(List<String> context) {
        return with("context", context);
    }

    /**
     * @param constraints limits that the research must respect
     * @return a copy with them
     */
    public ResearchArguments constraints(List<String> constraints) {
        return with("constraints", constraints);
    }

    /**
     * @param documents sources supplied by the caller: {@link Document} and {@link FileDocument}
     * @return a copy with them
     */
    public ResearchArguments documents(List<? extends ResearchDocument> documents) {
        return with("documents", documents);
    }

    /**
     * @param format {@code markdown_brief} (default), {@code markdown_report} or {@code json_outline}
     * @return a copy with it
     */
    public ResearchArguments deliverableFormat(String format) {
        return with("deliverable_format", format);
    }

    /**
     * @param textFormat of the model, e.g. {@code Map.of("type", "json_object")}
     * @return a copy with it
     */
    public ResearchArguments textFormat(Object textFormat) {
        return with("text_format", textFormat);
    }

    /**
     * @param required whether statements must cite their sources; true by default
     * @return a copy with it
     */
    public ResearchArguments requireCitations(boolean required) {
        return with("require_citations", required);
    }

    /**
     * @param dataSources {@code web}, {@code private}, {@code web_then_private} or {@code web_and_private}
     * @return a copy with it
     */
    public ResearchArguments dataSources(String dataSources) {
        return with("data_sources", dataSources);
    }

    /**
     * @param engine {@code auto} (default), {@code hosted}, {@code agent} or {@code plain}
     * @return a copy with it
     */
    public ResearchArguments engine(String engine) {
        return with("engine", engine);
    }

    /**
     * @param depth how far the agent goes: {@code auto} (default), {@code quick}, {@code standard} or {@code deep}
     * @return a copy with it
     */
    public ResearchArguments depth(String depth) {
        return with("depth", depth);
    }

    /**
     * @param budget limits of the agent, where they are narrower than those of the depth
     * @return a copy with it
     */
    public ResearchArguments budget(ResearchBudget budget) {
        return with("budget", budget);
    }

    /**
     * @param verify how the agent's sentences are compared with their quotes: as texts alone ({@code rules}), also by a
     *     model ({@code check}, default), also dropping those at fault ({@code enforce}), or not at all ({@code off})
     * @return a copy with it
     */
    public ResearchArguments verify(String verify) {
        return with("verify", verify);
    }

    /**
     * @param plan {@code review}: the agent searches nothing before {@link SondeClient#decidePlan} approves its plan;
     *     {@code auto} by default
     * @return a copy with it
     */
    public ResearchArguments plan(String plan) {
        return with("plan", plan);
    }

    /**
     * @param invocationId a finished {@code deep_research} of the same caller that the question follows up
     * @return a copy with it
     */
    public ResearchArguments previousInvocationId(String invocationId) {
        return with("previous_invocation_id", invocationId);
    }
}
