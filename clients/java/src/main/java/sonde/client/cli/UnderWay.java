package sonde.client.cli;

import java.util.List;

/**
 * What goes on without its caller.
 *
 * @param prefix what stands before a command that comes back to it; null: no command does
 */
record UnderWay(String id, Runnable cancel, String prefix) {
    /** Says how to come back to it. */
    List<String> goesOn() {
        String first = "sonde: " + id + " is still running and incurs cost until it ends";
        if (prefix == null) return List.of(first);
        return List.of(
                first,
                "  to resume: " + prefix + "sonde attach " + id,
                "  to cancel: " + prefix + "sonde cancel " + id);
    }
}
