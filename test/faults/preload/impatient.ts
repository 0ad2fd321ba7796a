import { PATIENCE } from '../../../src/platform/http/patient-json';
import { PAUSES } from '../../../src/platform/pause';

/** ⏎ A process whose long replies begin at once, with white space all the time, and that hardly waits between attempts. */
PATIENCE.everyMs = 20;
PAUSES.scale = 0.001;
