package sonde.client;

/** Which client this is. */
public final class Version {
    /** As in the build file. */
    public static final String VERSION = "0.1.0";

    private Version() {}
}
