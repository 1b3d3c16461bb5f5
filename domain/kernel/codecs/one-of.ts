import * as t from 'io-ts';

/** One of these texts. */
export const oneOf = <K extends string>(...texts: readonly K[]): t.KeyofC<Record<K, null>> =>
  // The keys are those texts, which the compiler cannot infer.
  t.keyof(Object.fromEntries(texts.map((text) => [text, null])) as Record<K, null>);
