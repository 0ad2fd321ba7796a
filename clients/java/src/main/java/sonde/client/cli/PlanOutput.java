package sonde.client.cli;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import sonde.client.Invocation;
import sonde.client.Plan;

/** Plans of research, as the command line shows them. */
final class PlanOutput {
    private static final Pattern ESCAPE = Pattern.compile("\\\\(u[0-9A-F]{4}|.)");

    private PlanOutput() {}

    /** Prints the plan that a run waits with, and the commands that decide on it. */
    static void show(Run run, Invocation invocation) {
        Output output = run.output();
        Plan plan = invocation.plan();
        for (Plan.Direction direction : plan == null ? List.<Plan.Direction>of() : plan.directions()) {
            output.log("direction: " + Live.oneLine(direction.title()));
            direction.queries().forEach(query -> output.log("  search: " + Live.oneLine(query)));
        }
        showEstimate(output, plan);
        String id = invocation.invocationId();
        String command = run.tokens().save(id, invocation.invocationToken()) + "sonde plan " + id;
        output.log("approval required: the plan of " + id);
        output.log("  to approve: " + command + " --approve");
        output.log("  to edit: " + command + " --edit FILE");
        output.log("  to refuse: " + command + " --refuse");
    }

    static void showEstimate(Output output, Plan plan) {
        if (plan == null || plan.estimate() == null) return;
        Plan.Estimate estimate = plan.estimate();
        Double usd = estimate.costUsd();
        String cost = usd == null
                ? "unknown"
                : new BigDecimal(usd).setScale(4, RoundingMode.HALF_UP).toPlainString() + " USD";
        output.log("estimate: searches " + estimate.searches() + ", pages " + estimate.pages() + ", model calls "
                + estimate.modelCalls() + ", tokens " + estimate.tokens() + ", minutes " + estimate.minutes()
                + ", cost " + cost);
    }

    /** A plan in the form that {@code --edit} reads: the JSON that all clients print, byte for byte. */
    static String editable(Plan plan) {
        return "{\n  \"directions\": " + list(plan.directions().stream().map(PlanOutput::direction).toList(), "  ") + "\n}";
    }

    private static String direction(Plan.Direction direction) {
        List<String> queries = direction.queries().stream().map(PlanOutput::text).toList();
        return "{\n      \"title\": " + text(direction.title()) + ",\n      \"queries\": "
                + list(queries, "      ") + "\n    }";
    }

    /** Escapes as {@code JSON.stringify} does, which writes hexadecimal digits in lower case. */
    private static String text(String text) {
        return ESCAPE.matcher(Run.json(text)).replaceAll(escape ->
                Matcher.quoteReplacement(escape.end() - escape.start() > 2
                        ? escape.group().toLowerCase(Locale.ROOT)
                        : escape.group()));
    }

    private static String list(List<String> items, String margin) {
        if (items.isEmpty()) return "[]";
        String open = "[\n" + margin + "  ";
        return items.stream().collect(Collectors.joining(",\n" + margin + "  ", open, "\n" + margin + "]"));
    }
}
