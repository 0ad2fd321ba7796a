package sonde.client.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.Set;
import sonde.client.ChatEvent;
import sonde.client.ChatReply;
import sonde.client.Ref;
import sonde.client.ToolCall;

/** What was shown of a chat so far; nothing is shown twice. */
final class Told {
    private final Run run;
    private final Output output;
    private final boolean onRecord;
    private final Set<String> tools = new HashSet<>();
    private final Set<String> calls = new HashSet<>();
    private boolean recorded;
    private int index = -1;
    /** What the last part of the stream has said. */
    private final StringBuilder part = new StringBuilder();

    /** @param onRecord whether the chat goes on without its caller */
    Told(Run run, boolean onRecord) {
        this.run = run;
        this.onRecord = onRecord;
        this.output = run.output();
    }

    void event(ChatEvent event) {
        JsonNode data = event.data();
        if (event.type().equals("tool_call"))
            begun(text(data, "tool_name"), text(data, "call_id"), text(data, "invocation_id"),
                    text(data, "invocation_token"));
        if (event.type().equals("tool_result") && !onRecord) run.interrupt().forget();
        if (event.type().equals("tool_progress") && data.path("type").asText().equals("progress"))
            output.progress(data.path("data"));
    }

    /** A piece of the answer; each turn of the model is a part of its own. */
    void delta(ChatEvent event) {
        if (!event.type().equals("delta")) return;
        for (JsonNode piece : event.data().path("contents")) {
            String text = piece.path("text").asText("");
            if (!piece.path("type").asText().equals("text") || text.isEmpty()) continue;
            if (piece.path("index").asInt() != index) begin();
            index = piece.path("index").asInt();
            part.append(text);
            output.write(text);
        }
    }

    /** The chat, once it is known to be on record. */
    void record(ChatReply reply) {
        if (recorded || reply.chatId() == null) return;
        recorded = true;
        output.note("chat_id", reply.chatId());
        output.note("invocation_token", reply.invocationToken());
    }

    /** Prints what the stream has not brought, says what is wrong, and gives the exit code. */
    int end(ChatReply reply) {
        reply.toolCalls().stream().filter(call -> call.invocationId() != null).forEach(call -> tool(call.toolName()));
        output.note("response_id", reply.responseId());
        record(reply);
        for (ToolCall call : reply.toolCalls())
            call(call.toolName(), call.callId(), call.invocationId(), call.invocationToken());
        print(reply);
        if (reply.requiredAction() != null) return waits(reply);
        String fault = fault(reply);
        if (fault != null) output.say("sonde: the chat " + fault);
        else if (Run.RESEARCH_FAILED.equals(reply.content())) output.say("sonde: the research failed");
        else return 0;
        return 1;
    }

    /** The same for a stream that ended with an error: what the model had said is all there is. */
    int failed(String message) {
        output.say("sonde: the chat failed: " + message);
        return 1;
    }

    private void print(ChatReply reply) {
        String content = reply.content() == null ? "" : reply.content();
        if (run.json()) {
            if (!run.stream()) output.write(Run.json(reply.raw()));
        } else if (!content.isEmpty() && !content.contentEquals(part)) {
            begin();
            output.write(content);
        }
    }

    private int waits(ChatReply reply) {
        reply.requiredAction().approvals().forEach(approval -> output.say(
                "approval required: " + approval.toolName() + " " + Run.json(approval.arguments())));
        reply.requiredAction().questions().forEach(question -> output.say("answer required: " + question.question()));
        return 5;
    }

    private static String fault(ChatReply reply) {
        if ("cancelled".equals(reply.status())) return "was cancelled";
        if (reply.guardrail() != null) return "was refused: " + reply.guardrail().name();
        if (reply.status() == null || reply.status().equals("completed"))
            return reply.error() == null ? null : "ended early: " + reply.error().code();
        return "failed: " + (reply.error() == null ? reply.status() : reply.error().message());
    }

    /** What a chat that is on no record leaves behind are the runs of its tools. */
    private void begun(String name, String callId, String invocationId, String invocationToken) {
        call(name, callId, invocationId, invocationToken);
        if (onRecord || invocationId == null) return;
        run.interrupt().knows(Research.underWay(run, Ref.of(invocationId, invocationToken)));
    }

    private void call(String name, String callId, String invocationId, String invocationToken) {
        if (invocationId == null || !calls.add(callId)) return;
        tool(name);
        output.note("invocation_id", invocationId);
        output.note("invocation_token", invocationToken);
    }

    private void tool(String name) {
        if (tools.add(name)) output.say("[" + name + " was called automatically]");
    }

    private void begin() {
        if (!output.text().isEmpty()) output.write("\n\n");
        part.setLength(0);
    }

    private static String text(JsonNode node, String field) {
        return node.path(field).textValue();
    }
}
