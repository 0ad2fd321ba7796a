package sonde.client;

import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * Events as they happen, each once and in order. Closing it closes the connection; use a try-with-resources statement
 * if the loop may end early. For one reader.
 *
 * @param <T> the event
 */
public final class EventStream<T> implements Iterable<T>, Iterator<T>, AutoCloseable {
    /** The source of events. */
    interface Source<T> extends AutoCloseable {
        /** The next event; null after the last. */
        T next();

        @Override
        void close();
    }

    private final Source<T> source;
    private T ahead;
    private boolean ended;

    EventStream(Source<T> source) {
        this.source = source;
    }

    @Override
    public Iterator<T> iterator() {
        return this;
    }

    /**
     * Waits for the next event.
     *
     * @throws SondeException as documented by the method that returned the stream
     */
    @Override
    public boolean hasNext() {
        if (ahead == null && !ended) {
            try {
                ahead = source.next();
            } finally {
                if (ahead == null) close();
            }
        }
        return ahead != null;
    }

    @Override
    public T next() {
        if (!hasNext()) throw new NoSuchElementException();
        T event = ahead;
        ahead = null;
        return event;
    }

    /** Ends the stream; may be called from another thread than the reader's. */
    @Override
    public void close() {
        ended = true;
        source.close();
    }
}
