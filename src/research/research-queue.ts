/** The queue, and the name of its jobs on the dashboard. */
export const RESEARCH_QUEUE = 'research';
export const RESEARCH_JOB = 'deep_research';
/** Of responses that the model endpoint is to delete. */
export const DELETION_QUEUE = 'response-deletions';
/** Injects the waiting list of the runs that a model endpoint executes. */
export const HOSTED_LIST = Symbol('the waiting list of hosted runs');
