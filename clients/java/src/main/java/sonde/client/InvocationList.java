package sonde.client;

import java.util.List;

/**
 * A page of the caller's invocations, newest first.
 *
 * @param data the records
 * @param hasMore whether there is another page
 * @param nextCursor asks for it, see {@link ListOptions#cursor}; null on the last page
 */
public record InvocationList(List<Invocation> data, boolean hasMore, String nextCursor) {}
