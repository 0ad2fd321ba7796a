package sonde.client.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import sonde.client.ChatReply;
import sonde.client.Invocation;
import sonde.client.InvocationList;
import sonde.client.ListOptions;
import sonde.client.Ref;

/** Commands on an existing run, whose id is the prompt. */
final class Commands {
    private static final Set<String> OPEN = Set.of("queued", "running");
    /** Maximum length of a question in the list, in characters. */
    private static final int SHOWN = 100;

    private final Run run;
    private final String command;
    private final Output output;

    Commands(Run run) {
        this.run = run;
        this.command = run.flags().command();
        this.output = run.output();
    }

    int run() {
        if (command.equals("list")) return list();
        Ref ref = Ref.of(run.prompt(), run.tokens().of(run.prompt()));
        return run.prompt().startsWith("chat_") ? ofChat(ref) : ofInvocation(ref);
    }

    private int list() {
        InvocationList page = run.sonde().list(ListOptions.DEFAULT);
        if (run.json()) output.write(Run.json(json(page)));
        else page.data().forEach(record -> output.write(line(record)));
        if (page.hasMore()) output.log("sonde: older runs are not shown");
        return 0;
    }

    private static Map<String, Object> json(InvocationList page) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("data", page.data().stream().map(Invocation::raw).toList());
        fields.put("has_more", page.hasMore());
        fields.put("next_cursor", page.nextCursor());
        return fields;
    }

    private static String line(Invocation record) {
        String question = Live.oneLine(record.question() == null ? "" : record.question());
        int characters = question.codePointCount(0, question.length());
        String text = characters > SHOWN
                ? question.substring(0, question.offsetByCodePoints(0, SHOWN)) + "…"
                : question;
        List<String> fields = List.of(
                record.invocationId(),
                String.valueOf(record.status()),
                record.raw().path("created_at").asText(""),
                String.valueOf(record.toolName()),
                text);
        return String.join("\t", fields) + "\n";
    }

    private int ofInvocation(Ref ref) {
        if (command.equals("attach")) {
            run.interrupt().track(Research.activeRun(run, ref));
            return Research.end(run, Research.follow(run, ref));
        }
        if (command.equals("get")) {
            Invocation record = run.sonde().get(ref);
            return record.isSettled() ? Research.end(run, record) : unfinished(record.status(), record.raw());
        }
        if (command.equals("continue")) return Plans.continueRun(run, ref);
        boolean isPlan = command.equals("plan");
        if (isPlan && !run.flags().has("--refuse")) return Plans.plan(run, ref);
        // The run of a plan that is refused is cancelled.
        Invocation record = isPlan ? Plans.decide(run, ref) : run.sonde().cancel(ref);
        Invocation last = record.isFinal() ? record : run.sonde().wait(ref, Run.MAX_TIMEOUT);
        return cancelled(last.status(), last.raw());
    }

    private int ofChat(Ref ref) {
        if (command.equals("cancel")) {
            ChatReply reply = run.sonde().chats().cancel(ref);
            ChatReply last = isOpen(reply) ? run.sonde().chats().wait(ref, Run.MAX_TIMEOUT) : reply;
            return cancelled(last.status(), last.raw());
        }
        ChatOutput chatOutput = new ChatOutput(run, true);
        if (command.equals("attach")) {
            run.interrupt().track(Chat.activeRun(run, ref));
            return chatOutput.end(Chat.follow(run, chatOutput, ref));
        }
        ChatReply reply = run.sonde().chats().get(ref);
        return isOpen(reply) ? unfinished(reply.status(), reply.raw()) : chatOutput.end(reply);
    }

    private static boolean isOpen(ChatReply reply) {
        return OPEN.contains(String.valueOf(reply.status()));
    }

    private int unfinished(String status, Object raw) {
        if (run.json()) output.write(Run.json(raw));
        String id = run.prompt();
        output.log("sonde: " + id + " is " + status + "; to follow it: sonde attach " + id);
        return 4;
    }

    private int cancelled(String status, Object raw) {
        if (run.json()) output.write(Run.json(raw));
        if ("cancelled".equals(status)) {
            output.log(run.prompt() + " is cancelled; cost incurred so far is not refunded");
            return 0;
        }
        output.log("sonde: " + run.prompt() + " has already ended: " + status);
        return 1;
    }
}
