package sonde.client;

/**
 * How far a research is.
 *
 * @param searches searches so far
 * @param pagesOpened pages opened so far
 * @param lastStep the last step in words; null if there is none yet
 */
public record Progress(long searches, long pagesOpened, String lastStep) {}
