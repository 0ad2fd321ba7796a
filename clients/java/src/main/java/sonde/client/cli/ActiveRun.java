package sonde.client.cli;

import java.util.List;

/**
 * Work that continues after this process exits.
 *
 * @param prefix prefix of the commands that resume it; null if it cannot be resumed
 */
record ActiveRun(String id, Runnable cancel, String prefix) {
    /** Messages that explain how to resume or cancel the run. */
    List<String> resumeHints() {
        String first = "sonde: " + id + " is still running and incurs cost until it ends";
        if (prefix == null) return List.of(first);
        return List.of(
                first,
                "  to resume: " + prefix + "sonde attach " + id,
                "  to cancel: " + prefix + "sonde cancel " + id);
    }
}
