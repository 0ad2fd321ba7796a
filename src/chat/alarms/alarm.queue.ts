/** The queue of alarms, and the name of the tool that rings. */
export const ALARM_QUEUE = 'alarms';
export const ALARM = 'alarm';
/** The tool that sets one. */
export const SET_ALARM = 'set_alarm';
