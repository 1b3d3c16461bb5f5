import { isAggregate } from './aggregates';
import { variable } from './build';
import { shape } from './shape';
import { type Expression } from './tree';
import { changeExpressions } from './walk';

/** Expressions by their shapes, with their new names. */
export type NamedValues = ReadonlyMap<string, { readonly value: Expression; readonly called: string }>;

/** Replaces expressions by their names; aggregates are replaced before the values inside them. */
export const byNames =
  (named: NamedValues) =>
  <P>(part: P): P => {
    const byName = (value: Expression): Expression => {
      const found = named.get(shape(value));
      return found === undefined ? value : variable(found.called, value);
    };
    return changeExpressions(
      changeExpressions(part, (value) => (isAggregate(value) ? byName(value) : value)),
      byName,
    );
  };
