package sonde.client.cli;

import java.math.BigDecimal;
import java.util.Map;
import java.util.UUID;
import sonde.client.Invocation;
import sonde.client.PlanDecision;
import sonde.client.Ref;
import sonde.client.ResearchBudget;

/** Decisions on plans, and runs that continue others. */
final class Plans {
    private Plans() {}

    /** Prints the plan of a run; with {@code --approve} or {@code --edit}, decides on it and follows the run. */
    static int plan(Run run, Ref ref) {
        if (!run.flags().has("--approve") && run.edited() == null) return show(run, ref);
        run.interrupt().track(Research.activeRun(run, ref));
        decide(run, ref);
        return Research.end(run, Research.follow(run, ref));
    }

    /** Decides on the plan of a run as the flags have it. */
    static Invocation decide(Run run, Ref ref) {
        boolean approve = !run.flags().has("--refuse");
        return run.sonde().decidePlan(ref, new PlanDecision(approve, run.edited(), run.flags().reason()));
    }

    /** Continues a run as a new one, and follows that. */
    static int continueRun(Run run, Ref ref) {
        ResearchBudget budget = budget(run.flags().budget);
        String key = UUID.randomUUID().toString();
        // The same request with the same key returns the same run.
        run.interrupt().findWith(() -> Research.activeRun(run, run.sonde().continueRun(ref, budget, key)));
        Invocation invocation = Research.onSubmitted(run, run.sonde().continueRun(ref, budget, key));
        return Research.end(run, Research.follow(run, invocation));
    }

    private static ResearchBudget budget(Map<String, BigDecimal> limits) {
        ResearchBudget budget = ResearchBudget.of();
        for (Map.Entry<String, BigDecimal> limit : limits.entrySet())
            budget = budget.with(limit.getKey(), limit.getValue());
        return budget;
    }

    private static int show(Run run, Ref ref) {
        Invocation invocation = run.sonde().get(ref);
        if (invocation.plan() == null) {
            run.output().log("sonde: " + invocation.invocationId() + " has no plan");
            return 1;
        }
        run.output().write(run.json() ? Run.json(invocation.raw()) : PlanOutput.editable(invocation.plan()));
        PlanOutput.showEstimate(run.output(), invocation.plan());
        return 0;
    }
}
