/** Environment variables of the command line, so that the server, which refuses unknown ones, leaves them alone. */
export const CLIENT_VARIABLES = ['ROWGRAPH_URL', 'ROWGRAPH_API_KEY', 'ROWGRAPH_TOKEN', 'ROWGRAPH_USERNAME'] as const;
