/** The texts and numbers of JSON. Without alternatives in a text, so that a long one does not exhaust the stack. */
export const JSON_TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/gs;
