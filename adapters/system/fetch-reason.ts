/** Why `fetch` got no answer, without the address it asked: it keeps the reason of a lost connection in `cause`. */
export const fetchReason = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message;
};
