/** Why `fetch` got no answer, without the address it asked: it hides the reason of a lost connection in `cause`. */
export const fetchReason = (error: unknown): string => {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return cause instanceof Error ? cause.message : String(cause);
};
