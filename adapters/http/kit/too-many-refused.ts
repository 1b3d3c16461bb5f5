/** What is told after too many refused calls: the same to everybody, whatever they asked for. */
export const TOO_MANY_REFUSED =
  'Too many calls from this address, or with this key, were refused within a minute. Whoever is let in is not held up.';
