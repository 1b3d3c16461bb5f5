import type * as t from 'io-ts';

/** The codecs of some fields of a view, for another view. */
export const pick = <P extends t.Props, K extends keyof P>(
  view: t.ExactC<t.TypeC<P>>,
  ...fields: readonly K[]
): Pick<P, K> =>
  // The keys are those fields, which the compiler cannot infer.
  Object.fromEntries(fields.map((field) => [field, view.type.props[field]])) as Pick<P, K>;
