package sonde.client.cli;

/** The command line. */
public final class Main {
    private Main() {}

    /** @param arguments flags and prompt */
    public static void main(String[] arguments) {}
}
