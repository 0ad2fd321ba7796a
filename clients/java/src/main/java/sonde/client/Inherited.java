package sonde.client;

/**
 * What the runs have used that a run continues.
 *
 * @param usage tokens and calls of hosted tools
 * @param costUsd US dollars; null where it is not known
 */
public record Inherited(Usage usage, Double costUsd) {}
