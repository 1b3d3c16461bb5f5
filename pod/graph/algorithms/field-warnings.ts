import { type Algorithm } from './algorithm';
import { nearestNames } from './catalogue';
import { findParameter } from './signature';

/** What the same field is called in the requests of other algorithms. */
const CALLED_ELSEWHERE: readonly (readonly string[])[] = [
  ['params', 'parameters'],
  ['node_label', 'node_labels'],
  ['edge_types', 'relationship_types'],
  ['property_name', 'result_property'],
];

/** A field no run has is ignored; this says so, and what may have been meant. `place`: where parameters belong. */
export const unknownFieldWarnings = (
  body: unknown,
  known: readonly string[],
  { name, parameters }: Algorithm,
  place: string,
): readonly string[] =>
  Object.keys(body ?? {})
    .filter((field) => !known.includes(field))
    .map((field) => {
      if (findParameter(parameters, field) !== undefined) {
        return `${field} is a parameter of ${name} and was ignored beside the fields of the run; put it into ${place}.`;
      }
      const same = CALLED_ELSEWHERE.find((names) => names.includes(field))?.find((other) => known.includes(other));
      const [nearest = same] = same === undefined ? nearestNames(field, known) : [same];
      const hint = nearest === undefined ? `there are: ${known.join(', ')}` : `did you mean ${nearest}?`;
      return `${field} is no field of a run and was ignored; ${hint}`;
    });
