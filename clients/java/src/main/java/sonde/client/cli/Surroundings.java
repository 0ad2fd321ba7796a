package sonde.client.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Map;

/** What a run reads and writes; with signals, Ctrl-C is the run's. */
record Surroundings(Map<String, String> environment, InputStream stdin, OutputStream stdout, OutputStream stderr,
        Terminal terminal, boolean hasSignals) {
    static Surroundings ofTheProcess() {
        return new Surroundings(
                System.getenv(),
                System.in,
                new FileOutputStream(FileDescriptor.out),
                new FileOutputStream(FileDescriptor.err),
                Terminal.find(),
                true);
    }
}
