package sonde.client.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** The part of a report that is printed after the stream. */
class ResearchTest {
    @Test
    void printsTheTextThatTheStreamDidNotContain() {
        assertEquals("", Research.unprinted("all of it", "all of it"));
        assertEquals(" of it", Research.unprinted("all of it", "all"));
    }

    @Test
    void printsTheWholeTextAfterAGap() {
        assertEquals("\n\nall of it", Research.unprinted("all of it", "of it"));
    }

    @Test
    void printsNothingIfThereIsNoReport() {
        assertEquals("", Research.unprinted("", "what there was"));
    }
}
