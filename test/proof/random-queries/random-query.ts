import { Choice } from '../../support/choice';
import { type ComparedQuery } from '../cypher/engine/compared-answer';
import { clauseFamilies } from './clause-families';
import { QueryMaker } from './query-maker';
import { userFamilies } from './user-families';
import { valueFamilies } from './value-families';

export interface RandomQuery extends ComparedQuery {
  readonly family: string;
}

/** Makes one query; the same for the same seed. Families take turns. */
export const randomQuery = (seed: number): RandomQuery => {
  const families = Object.entries({ ...valueFamilies, ...clauseFamilies, ...userFamilies });
  const [family, make] = families[seed % families.length]!;
  const maker = new QueryMaker(new Choice(seed));
  const text = make(maker);
  const all = maker.expressions.parameters;
  const parameters = new Map([...all].filter(([name]) => new RegExp(`\\$${name}\\b`).test(text)));
  return {
    family,
    text,
    parameters,
    inOrder: / ORDER BY c0[^{}]*$/.test(text),
    anyOrderInLists: /collect\(|\[\(n/i.test(text),
  };
};
