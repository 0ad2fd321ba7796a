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
        String first = "sonde: " + id + " goes on, and costs until it ends";
        if (prefix == null) return List.of(first);
        return List.of(
                first,
                "  come back: " + prefix + "sonde attach " + id,
                "  cancel it: " + prefix + "sonde cancel " + id);
    }
}
