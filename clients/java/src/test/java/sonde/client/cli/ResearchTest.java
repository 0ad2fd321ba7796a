package sonde.client.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** What is printed of a report behind what its stream has brought. */
class ResearchTest {
    @Test
    void printsTheRestOfWhatTheStreamHasBrought() {
        assertEquals("", Research.unwritten("all of it", "all of it"));
        assertEquals(" of it", Research.unwritten("all of it", "all"));
    }

    @Test
    void printsAllOfItWhereTheStreamHasAGap() {
        assertEquals("\n\nall of it", Research.unwritten("all of it", "of it"));
    }

    @Test
    void printsNothingBehindAStreamThatHasNoReport() {
        assertEquals("", Research.unwritten("", "what there was"));
    }
}
