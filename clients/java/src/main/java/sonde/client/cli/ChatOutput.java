package sonde.client.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.Set;
import sonde.client.ChatEvent;
import sonde.client.ChatReply;
import sonde.client.Ref;
import sonde.client.ToolCall;

/** Prints the events and the reply of a chat, each item once. */
final class ChatOutput {
    private final Run run;
    private final Output output;
    private final boolean onRecord;
    private final Set<String> tools = new HashSet<>();
    private final Set<String> calls = new HashSet<>();
    private boolean recorded;
    private int index = -1;
    /** Text of the last part of the stream. */
    private final StringBuilder part = new StringBuilder();

    /** @param onRecord whether the chat is stored and continues without this process */
    ChatOutput(Run run, boolean onRecord) {
        this.run = run;
        this.onRecord = onRecord;
        this.output = run.output();
    }

    void event(ChatEvent event) {
        JsonNode data = event.data();
        if (event.type().equals("tool_call"))
            onToolCall(text(data, "tool_name"), text(data, "call_id"), text(data, "invocation_id"),
                    text(data, "invocation_token"));
        if (event.type().equals("tool_result") && !onRecord) run.interrupt().untrack();
        if (event.type().equals("tool_progress") && data.path("type").asText().equals("progress"))
            output.progress(data.path("data"));
    }

    /** Prints a piece of the answer. Each turn of the model is a separate part. */
    void delta(ChatEvent event) {
        if (!event.type().equals("delta")) return;
        for (JsonNode piece : event.data().path("contents")) {
            String text = piece.path("text").asText("");
            if (!piece.path("type").asText().equals("text") || text.isEmpty()) continue;
            if (piece.path("index").asInt() != index) startPart();
            index = piece.path("index").asInt();
            part.append(text);
            output.write(text);
        }
    }

    /** Prints the ids of the chat, once it is known to be stored. */
    void record(ChatReply reply) {
        if (recorded || reply.chatId() == null) return;
        recorded = true;
        output.field("chat_id", reply.chatId());
        output.field("invocation_token", reply.invocationToken());
    }

    /** Prints what the stream did not contain, reports failures and returns the exit code. */
    int end(ChatReply reply) {
        reply.toolCalls().stream().filter(call -> call.invocationId() != null).forEach(call -> tool(call.toolName()));
        output.field("response_id", reply.responseId());
        record(reply);
        for (ToolCall call : reply.toolCalls())
            call(call.toolName(), call.callId(), call.invocationId(), call.invocationToken());
        print(reply);
        reply.toolCalls().stream().filter(call -> call.error() != null).forEach(this::failed);
        if (reply.requiredAction() != null) return waits(reply);
        String failure = failure(reply);
        if (failure != null) {
            if (!isOfTool(reply)) output.log("sonde: the chat " + failure);
        } else if (Run.RESEARCH_FAILED.equals(reply.content())) output.log("sonde: the research failed");
        else return 0;
        return 1;
    }

    /** Reports a stream that ended with an error and returns the exit code. */
    int failed(String message) {
        output.log("sonde: the chat failed: " + message);
        return 1;
    }

    private void failed(ToolCall call) {
        String tool = call.toolName().equals("deep_research") ? "the research" : call.toolName();
        boolean early = "incomplete".equals(call.status());
        String cause = early ? " ended early: " + call.error().code() : " failed: " + call.error().message();
        output.log("sonde: " + tool + cause);
    }

    /** Whether a tool that failed is why the chat has. */
    private static boolean isOfTool(ChatReply reply) {
        return "failed".equals(reply.status())
                && reply.error() != null
                && reply.toolCalls().stream()
                        .anyMatch(call -> call.error() != null
                                && call.error().code().equals(reply.error().code()));
    }

    private void print(ChatReply reply) {
        String content = reply.content() == null ? "" : reply.content();
        if (run.json()) {
            if (!run.stream()) output.write(Run.json(reply.raw()));
        } else if (!content.isEmpty() && !content.contentEquals(part)) {
            startPart();
            output.write(content);
        }
    }

    private int waits(ChatReply reply) {
        reply.requiredAction().approvals().forEach(approval -> output.log(
                "approval required: " + approval.toolName() + " " + Run.json(approval.arguments())));
        reply.requiredAction().questions().forEach(question -> output.log("answer required: " + question.question()));
        return 5;
    }

    private static String failure(ChatReply reply) {
        if ("cancelled".equals(reply.status())) return "was cancelled";
        if (reply.guardrail() != null) return "was refused: " + reply.guardrail().name();
        if (reply.status() == null || reply.status().equals("completed"))
            return reply.error() == null ? null : "ended early: " + reply.error().code();
        return "failed: " + (reply.error() == null ? reply.status() : reply.error().message());
    }

    /** A chat that is not stored stops with this process; only its tool runs continue. */
    private void onToolCall(String name, String callId, String invocationId, String invocationToken) {
        call(name, callId, invocationId, invocationToken);
        if (onRecord || invocationId == null) return;
        run.interrupt().track(Research.activeRun(run, Ref.of(invocationId, invocationToken)));
    }

    private void call(String name, String callId, String invocationId, String invocationToken) {
        if (invocationId == null || !calls.add(callId)) return;
        tool(name);
        output.field("invocation_id", invocationId);
        output.field("invocation_token", invocationToken);
    }

    private void tool(String name) {
        if (tools.add(name)) output.log("[" + name + " was called automatically]");
    }

    private void startPart() {
        if (!output.text().isEmpty()) output.write("\n\n");
        part.setLength(0);
    }

    private static String text(JsonNode node, String field) {
        return node.path(field).textValue();
    }
}
