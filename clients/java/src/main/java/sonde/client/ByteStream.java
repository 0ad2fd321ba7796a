package sonde.client;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The body of a reply with a read timeout, which the HTTP client lacks for bodies. One chunk is requested at a time,
 * so that a slow reader slows the sender down.
 */
final class ByteStream implements Flow.Subscriber<List<ByteBuffer>>, AutoCloseable {
    private record Item(byte[] bytes, Throwable failure) {}

    private static final Item END = new Item(null, null);

    private final BlockingQueue<Item> items = new LinkedBlockingQueue<>();
    private final CompletableFuture<Flow.Subscription> subscription = new CompletableFuture<>();

    /**
     * The next bytes; null at the end.
     *
     * @throws SocketTimeoutException if none arrive before the deadline
     * @throws IOException if the connection breaks
     */
    byte[] next(Deadline deadline) throws IOException {
        try {
            Item item = items.poll(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS);
            if (item == null) throw new SocketTimeoutException();
            if (item.bytes != null) {
                subscription.thenAccept(s -> s.request(1));
                return item.bytes;
            }
            items.add(item);
            if (item.failure != null) throw new IOException(item.failure);
            return null;
        } catch (InterruptedException e) {
            close();
            throw Backoff.interrupted();
        }
    }

    /** The remaining bytes. */
    byte[] readAll(Deadline deadline) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] bytes = next(deadline); bytes != null; bytes = next(deadline)) all.write(bytes);
        return all.toByteArray();
    }

    /** Closes the connection unless everything was read; a thread waiting in {@link #next} sees the end. */
    @Override
    public void close() {
        subscription.thenAccept(Flow.Subscription::cancel);
        items.add(END);
    }

    @Override
    public void onSubscribe(Flow.Subscription s) {
        subscription.complete(s);
        s.request(1);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        byte[] bytes = new byte[buffers.stream().mapToInt(ByteBuffer::remaining).sum()];
        int at = 0;
        for (ByteBuffer buffer : buffers) {
            int length = buffer.remaining();
            buffer.get(bytes, at, length);
            at += length;
        }
        items.add(new Item(bytes, null));
    }

    @Override
    public void onError(Throwable failure) {
        items.add(new Item(null, failure));
    }

    @Override
    public void onComplete() {
        items.add(END);
    }
}
