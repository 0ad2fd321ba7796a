package sonde.client;

/**
 * Progress of a research run.
 *
 * @param searches searches so far
 * @param pagesOpened pages opened so far
 * @param lastStep description of the last step; null if there is none yet
 */
public record Progress(long searches, long pagesOpened, String lastStep) {}
