import { renderReport } from './render';

/** The entry of a thread of `ReportThread`. */
export default renderReport;
