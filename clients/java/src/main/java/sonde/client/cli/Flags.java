package sonde.client.cli;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The parsed command line. */
final class Flags {
    private static final Set<String> SWITCHES = Set.of(
            "--background", "--web-search", "--auto-tool-call", "--stream", "--json", "--help", "--version");
    private static final Set<String> VALUES = Set.of(
            "--target", "--api", "--timeout", "--deliverable-format", "--system-prompt", "--context", "--output");
    private static final Set<String> COMMANDS = Set.of("get", "attach", "cancel", "list");
    /** Flags that apply to a prompt and not to an existing run, except --stream, which attach accepts. */
    private static final List<String> PROMPT_FLAGS = List.of(
            "--target", "--api", "--background", "--web-search", "--auto-tool-call", "--stream",
            "--deliverable-format", "--system-prompt", "--context");
    private static final Map<String, List<String>> CHOICES = Map.of(
            "--target", List.of("direct", "relay"),
            "--api", List.of("chat", "responses"),
            "--deliverable-format", List.of("markdown_brief", "markdown_report", "json_outline"));

    private final Set<String> switches = new HashSet<>();
    private final Map<String, String> values = new HashMap<>();
    final List<String> context = new ArrayList<>();
    private final List<String> words = new ArrayList<>();
    private String command;

    private Flags() {}

    /** @throws UsageError at the first invalid argument; nothing is read after {@code --help} and {@code --version} */
    static Flags read(List<String> arguments) {
        Flags flags = new Flags();
        if (!flags.readAll(new ArrayDeque<>(arguments))) return flags;
        if (flags.command != null) {
            flags.checkCommand();
            return flags;
        }
        // Defaults to Sonde with automatic tool calls, unless a flag requires the model endpoint.
        if (!flags.values.containsKey("--target") && flags.isRelay()) flags.switches.add("--auto-tool-call");
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

    private static boolean isTimeout(String value) {
        if (!value.matches("[0-9]+\\.?[0-9]*|\\.[0-9]+")) return false;
        double seconds = Double.parseDouble(value);
        return seconds >= 0.001 && seconds <= 86400;
    }

    private static String inWords(List<String> choices) {
        int last = choices.size() - 1;
        return String.join(", ", choices.subList(0, last)) + " or " + choices.get(last);
    }

    private void checkCommand() {
        for (String name : PROMPT_FLAGS) {
            boolean given = has(name) || values.containsKey(name) || name.equals("--context") && !context.isEmpty();
            boolean fine = name.equals("--stream") && command.equals("attach");
            require(!given || fine, name + " cannot be used with " + command);
        }
        String quoted = "; a prompt that begins with \"" + command + "\" must be quoted";
        if (command.equals("list")) {
            require(words.isEmpty(), "list takes no arguments" + quoted);
            return;
        }
        require(!words.isEmpty(), command + " requires a run id");
        require(words.size() == 1, command + " takes one id" + quoted);
        require(
                words.get(0).matches("[A-Za-z0-9_-]{1,200}"),
                command + ": not a run id: \"" + words.get(0) + "\"");
    }

    private void checkTogether() {
        boolean chat = "chat".equals(values.get("--api"));
        boolean auto = has("--auto-tool-call");
        require(isRelay() || !has("--stream"), "--stream requires --target relay");
        require(!has("--background") || !has("--stream"), "--background and --stream are mutually exclusive");
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

    private static void require(boolean fine, String fault) {
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
        boolean direct = command == null && (values.containsKey("--api") || has("--web-search"));
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
