package sonde.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Calls of functions that run side by side, each in a thread that does not keep the process. */
final class FunctionRuns {
    /** Characters of one result. */
    private static final int MAX_RESULT = 100_000;

    private static final int MAX_MESSAGE = 500;

    private final List<FutureTask<String>> tasks = new ArrayList<>();

    void add(ChatFunction function, JsonNode arguments) {
        tasks.add(new FutureTask<>(() -> told(function, arguments)));
    }

    /**
     * Runs them. Returns what the model is told of each; null for those that have not ended at the deadline, or are cancelled. They are
     * interrupted.
     */
    List<String> told(Deadline deadline) {
        List<String> told = new ArrayList<>();
        for (FutureTask<String> task : tasks) {
            Thread thread = new Thread(task, "sonde-function");
            thread.setDaemon(true);
            thread.start();
        }
        try {
            for (FutureTask<String> task : tasks) told.add(told(task, deadline));
            return told;
        } catch (InterruptedException e) {
            throw Backoff.interrupted();
        } finally {
            cancel();
        }
    }

    /** May be called from another thread. */
    void cancel() {
        tasks.forEach(task -> task.cancel(true));
    }

    private static String told(FutureTask<String> task, Deadline deadline) throws InterruptedException {
        try {
            return task.get(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException | CancellationException e) {
            return null;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    private static String told(ChatFunction function, JsonNode arguments) {
        try {
            return text(function.body().run(arguments));
        } catch (Throwable e) {
            Throwable cause = e instanceof InvocationTargetException ? e.getCause() : e;
            String message = cause.getMessage();
            return failure("FUNCTION_FAILED", message == null ? cause.getClass().getSimpleName() : message);
        }
    }

    private static String text(Object value) {
        if (value == null) return "Done.";
        String text = value instanceof CharSequence ? value.toString() : Json.write(Json.tree(value));
        if (text.length() <= MAX_RESULT) return text;
        return failure("RESULT_TOO_LARGE", "It has " + text.length() + " characters.");
    }

    static String failure(String code, String message) {
        String brief = message.substring(0, Math.min(message.length(), MAX_MESSAGE));
        return Json.write(JsonNodeFactory.instance.objectNode().put("code", code).put("message", brief));
    }
}
