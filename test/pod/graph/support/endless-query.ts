/** Takes unlimited time and little memory: neither kind holds many of its rows at once. */
export const ENDLESS_QUERY =
  'UNWIND range(1, 30000) AS a UNWIND range(1, 30000) AS b UNWIND range(1, 30000) AS c RETURN count(a + b + c)';
