package sonde.client.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Map;

/** Environment and streams of a run; with {@code signals}, it handles Ctrl-C. */
record ProcessContext(Map<String, String> environment, InputStream stdin, OutputStream stdout, OutputStream stderr,
        Terminal terminal, boolean hasSignals) {
    static ProcessContext ofTheProcess() {
        return new ProcessContext(
                System.getenv(),
                System.in,
                new FileOutputStream(FileDescriptor.out),
                new FileOutputStream(FileDescriptor.err),
                Terminal.find(),
                true);
    }
}
