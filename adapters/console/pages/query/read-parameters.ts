/** Parses parameters from JSON; throws if invalid. Integers beyond 2^53 must be text: JSON.parse rounds them. */
export const readParameters = (text: string): Readonly<Record<string, unknown>> => {
  if (text.trim() === '') return {};
  const long = /(?:^|[[{:,\s])(-?\d{16,})(?=[\s,}\]]|$)/.exec(text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""'))?.[1];
  if (long !== undefined && !Number.isSafeInteger(Number(long))) {
    throw new Error(`Parameters: ${long} would be rounded. Write it into the query.`);
  }
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return { ...parsed };
  } catch (error) {
    throw new Error(
      `Parameters: ${error instanceof Error ? error.message : 'not JSON'}. Write an object, such as {"id": 10}.`,
    );
  }
  throw new Error('Parameters: expected an object, such as {"id": 10}.');
};
