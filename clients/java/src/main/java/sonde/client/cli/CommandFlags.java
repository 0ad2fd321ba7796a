package sonde.client.cli;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** The flags of commands. */
final class CommandFlags {
    /** Flags that apply to a prompt and not to an existing run, except --stream for those that are followed. */
    private static final List<String> PROMPT_FLAGS = List.of(
            "--target", "--api", "--background", "--web-search", "--auto-tool-call", "--stream",
            "--deliverable-format", "--system-prompt", "--context", "--plan");
    private static final Set<String> FOLLOWED = Set.of("attach", "plan", "continue");
    /** Flags that apply to one command only. */
    private static final Map<String, List<String>> COMMAND_FLAGS = Map.of(
            "plan", List.of("--approve", "--edit", "--refuse", "--reason"),
            "continue", List.of("--budget"));
    private static final List<String> DECISIONS = List.of("--approve", "--edit", "--refuse");

    private CommandFlags() {}

    /** @throws UsageError at the first flag that a prompt does not take */
    static void checkPrompt(Predicate<String> isGiven) {
        for (String command : List.of("plan", "continue"))
            for (String name : COMMAND_FLAGS.get(command))
                Flags.require(!isGiven.test(name), name + " requires the command " + command);
    }

    /** @throws UsageError at the first word or flag that the command does not take */
    static void check(String command, List<String> words, Predicate<String> isGiven) {
        for (String name : PROMPT_FLAGS) {
            boolean fine = name.equals("--stream") && FOLLOWED.contains(command);
            Flags.require(!isGiven.test(name) || fine, name + " cannot be used with " + command);
        }
        for (String other : List.of("plan", "continue"))
            for (String name : other.equals(command) ? List.<String>of() : COMMAND_FLAGS.get(other))
                Flags.require(!isGiven.test(name), name + " cannot be used with " + command);
        String quoted = "; a prompt that begins with \"" + command + "\" must be quoted";
        if (command.equals("list")) {
            Flags.require(words.isEmpty(), "list takes no arguments" + quoted);
            return;
        }
        Flags.require(!words.isEmpty(), command + " requires a run id");
        Flags.require(words.size() == 1, command + " takes one id" + quoted);
        boolean isOther = COMMAND_FLAGS.containsKey(command) && words.get(0).startsWith("chat_");
        Flags.require(
                !isOther && words.get(0).matches("[A-Za-z0-9_-]{1,200}"),
                command + ": not a run id: \"" + words.get(0) + "\"");
        if (command.equals("plan")) checkDecision(isGiven);
        Flags.require(
                !command.equals("continue") || isGiven.test("--budget"),
                "continue requires --budget, e.g. --budget max_pages=10");
    }

    private static void checkDecision(Predicate<String> given) {
        List<String> decisions = DECISIONS.stream().filter(given).toList();
        Flags.require(decisions.size() < 2, "--approve, --edit and --refuse are mutually exclusive");
        Flags.require(
                !given.test("--reason") || !decisions.isEmpty(),
                "--reason requires --approve, --edit or --refuse");
        Flags.require(
                !given.test("--stream") || given.test("--approve") || given.test("--edit"),
                "--stream requires --approve or --edit");
    }
}
