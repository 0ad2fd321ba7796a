package sonde.client;

/** Version of this client. */
public final class Version {
    /** Must equal the version of the build file. */
    public static final String VERSION = "0.1.0";

    private Version() {}
}
