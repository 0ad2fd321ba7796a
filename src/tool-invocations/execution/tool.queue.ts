/** The queue of all tools that have none of their own. Its jobs have its name, whatever the tool. */
export const TOOL_QUEUE = 'tools';
