package sonde.client.cli;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The parsed command line. */
final class Flags {
    private static final Set<String> SWITCHES = Set.of(
            "--background", "--web-search", "--auto-tool-call", "--stream", "--json", "--approve", "--refuse", "--help",
            "--version");
    private static final Set<String> VALUES = Set.of(
            "--target", "--api", "--timeout", "--deliverable-format", "--system-prompt", "--context", "--output",
            "--plan", "--edit", "--reason", "--budget");
    private static final Set<String> COMMANDS = Set.of("get", "attach", "cancel", "plan", "continue", "list");
    private static final Map<String, List<String>> CHOICES = Map.of(
            "--target", List.of("direct", "relay"),
            "--api", List.of("chat", "responses"),
            "--deliverable-format", List.of("markdown_brief", "markdown_report", "json_outline"),
            "--plan", List.of("auto", "review"));

    private static final Pattern LIMIT =
            Pattern.compile("(max_(?:cost_usd|searches|pages|tokens|seconds))=([0-9]{1,9}(?:\\.[0-9]{1,9})?)");

    private final Set<String> switches = new HashSet<>();
    private final Map<String, String> values = new HashMap<>();
    final List<String> context = new ArrayList<>();
    /** Of {@code continue}. */
    final Map<String, BigDecimal> budget = new LinkedHashMap<>();
    private final List<String> words = new ArrayList<>();
    private String command;

    private Flags() {}

    /** @throws UsageError at the first invalid argument; nothing is read after {@code --help} and {@code --version} */
    static Flags read(List<String> arguments) {
        Flags flags = new Flags();
        if (!flags.readAll(new ArrayDeque<>(arguments))) return flags;
        if (flags.command != null) {
            CommandFlags.check(flags.command, flags.words, flags::isGiven);
            return flags;
        }
        CommandFlags.checkPrompt(flags::isGiven);
        // Defaults to Sonde with automatic tool calls, unless a flag requires the model endpoint or research.
        boolean isDefault = !flags.values.containsKey("--target") && !flags.values.containsKey("--plan");
        if (isDefault && flags.isRelay()) flags.switches.add("--auto-tool-call");
        flags.checkTogether();
        return flags;
    }

    private boolean readAll(Deque<String> rest) {
        while (!rest.isEmpty()) {
            String argument = rest.poll();
            if (argument.equals("--")) {
                words.addAll(rest);
                return true;
            }
            if (argument.equals("-") || !argument.startsWith("-")) readWord(argument);
            else readFlag(argument, rest);
            if (has("--help") || has("--version")) return false;
        }
        return true;
    }

    private void readWord(String word) {
        if (command == null && words.isEmpty() && COMMANDS.contains(word)) command = word;
        else words.add(word);
    }

    private void readFlag(String argument, Deque<String> rest) {
        int equals = argument.indexOf('=');
        String name = equals < 0 ? argument : argument.substring(0, equals);
        String given = equals < 0 ? null : argument.substring(equals + 1);
        if (SWITCHES.contains(name)) {
            if (given != null) throw new UsageError(name + " takes no value");
            switches.add(name);
        } else if (VALUES.contains(name)) {
            String value = given == null ? rest.poll() : given;
            if (value == null) throw new UsageError(name + " requires a value");
            check(name, value);
            if (name.equals("--context")) context.add(value);
            else if (name.equals("--budget")) addLimit(value);
            else values.put(name, value);
        } else throw new UsageError("unknown flag " + name + " (see --help)");
    }

    private static void check(String name, String value) {
        List<String> choices = CHOICES.getOrDefault(name, List.of(value));
        if (!choices.contains(value))
            throw new UsageError(name + " must be " + inWords(choices) + ", not \"" + value + "\"");
        if (name.equals("--timeout") && !isTimeout(value))
            throw new UsageError(
                    "--timeout must be a number of seconds from 0.001 to 86400, not \"" + value + "\"");
    }

    private void addLimit(String value) {
        Matcher limit = LIMIT.matcher(value);
        require(
                limit.matches(),
                "--budget must be a limit and a number, e.g. max_pages=10, not \"" + value + "\"");
        budget.put(limit.group(1), new BigDecimal(limit.group(2)));
    }

    private static boolean isTimeout(String value) {
        if (!value.matches("[0-9]+\\.?[0-9]*|\\.[0-9]+")) return false;
        double seconds = Double.parseDouble(value);
        return seconds >= 0.001 && seconds <= 86400;
    }

    private static String inWords(List<String> choices) {
        int last = choices.size() - 1;
        return String.join(", ", choices.subList(0, last)) + " or " + choices.get(last);
    }

    private boolean isGiven(String name) {
        return switch (name) {
            case "--context" -> !context.isEmpty();
            case "--budget" -> !budget.isEmpty();
            default -> has(name) || values.containsKey(name);
        };
    }

    private void checkTogether() {
        boolean chat = "chat".equals(values.get("--api"));
        boolean auto = has("--auto-tool-call");
        require(isRelay() || !has("--stream"), "--stream requires --target relay");
        require(!has("--background") || !has("--stream"), "--background and --stream are mutually exclusive");
        require(plan() == null || isRelay(), "--plan requires --target relay");
        require(plan() == null || !auto, "--plan and --auto-tool-call are mutually exclusive");
        require(!isRelay() || !values.containsKey("--api"), "--api requires --target direct");
        require(!isRelay() || !has("--web-search"), "--web-search requires --target direct");
        require(!chat || !has("--background"), "--background requires --api responses");
        require(!chat || !has("--web-search"), "--web-search requires --api responses");
        require(!chat || !auto, "--auto-tool-call requires --api responses");
        require(
                isRelay() || !has("--background") || !auto,
                "--background with --auto-tool-call requires --target relay");
        require(!has("--web-search") || !auto, "--web-search and --auto-tool-call are mutually exclusive");
        require(
                isRelay() || auto || deliverableFormat() == null,
                "--deliverable-format requires --target relay or --auto-tool-call");
    }

    static void require(boolean fine, String fault) {
        if (!fine) throw new UsageError(fault);
    }

    /** Whether a switch is set. */
    boolean has(String name) {
        return switches.contains(name);
    }

    /** The command on the run whose id the words are; null if they are a prompt. */
    String command() {
        return command;
    }

    boolean isRelay() {
        boolean research = plan() != null && !has("--auto-tool-call");
        boolean direct = command == null && !research && (values.containsKey("--api") || has("--web-search"));
        return values.getOrDefault("--target", direct ? "direct" : "relay").equals("relay");
    }

    boolean isChatApi() {
        return "chat".equals(values.get("--api"));
    }

    String deliverableFormat() {
        return values.get("--deliverable-format");
    }

    String systemPrompt() {
        return values.get("--system-prompt");
    }

    /** {@code auto} or {@code review}; null if not given. */
    String plan() {
        return values.get("--plan");
    }

    /** A file, or {@code -} for standard input; null if not given. */
    String edit() {
        return values.get("--edit");
    }

    /** Of the decision on a plan; null if not given. */
    String reason() {
        return values.get("--reason");
    }

    String output() {
        return values.get("--output");
    }

    /** As written on the command line. */
    String seconds() {
        return values.getOrDefault("--timeout", "3600");
    }

    Duration timeout() {
        return Duration.ofMillis(Math.round(Double.parseDouble(seconds()) * 1000));
    }

    /** The words of the prompt, joined. */
    String words() {
        return String.join(" ", words);
    }
}
