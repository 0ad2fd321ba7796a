package sonde.client;

import java.util.List;

/**
 * The steps of research by the agent.
 *
 * @param settled done, each once
 * @param repeated attempts beyond the first of a step
 * @param skipped out of repeats
 * @param ambiguous attempts that may have been paid for without a result
 */
public record Steps(long settled, long repeated, long skipped, List<String> ambiguous) {}
