/** The reason of a failed `fetch`, without the address: for a lost connection it is in `cause`. */
export const fetchReason = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message;
};
