package sonde.client;

import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * Events as they come, once, in order. Closing it closes the connection; use it in a try-with-resources statement if the
 * loop may be left early. For one reader.
 *
 * @param <T> the event
 */
public final class EventStream<T> implements Iterable<T>, Iterator<T>, AutoCloseable {
    /** Where events come from. */
    interface Source<T> extends AutoCloseable {
        /** The next one; null after the last. */
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
     * @throws SondeException as the method says that gave the stream
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

    /** Ends it; also from another thread than the reader's. */
    @Override
    public void close() {
        ended = true;
        source.close();
    }
}
