import { PATIENCE } from '../../../src/platform/http/patient-json';

/** ⏎ A process whose long replies begin at once, with white space all the time. */
PATIENCE.everyMs = 20;
