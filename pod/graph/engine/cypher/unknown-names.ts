import { type LabelTest, type Name, type Query, type StepPattern } from './tree';
import { partsOf } from './walk';
import { type GraphSchema } from '../graph-schema';

/**
 * Warns of labels and edge types that the graph does not contain: they match nothing, as in openCypher, and are often
 * misspelt.
 */
export const unknownNames = (query: Query, { nodeTables, edgeTables }: GraphSchema): readonly string[] => {
  const labels = nodeTables.map(({ label }) => label);
  const types = edgeTables.map(({ type }) => type);
  const known = new Set([...labels, ...types]);
  const unknown = [...partsOf(query)].flatMap(namesIn).filter(({ text }) => !known.has(text));
  return [...new Set(unknown.map(({ text }) => text))].map(
    (name) =>
      `Unknown label or edge type ${name}: nothing matches it. ` +
      `Labels: ${labels.join(', ')}; edge types: ${types.join(', ')}.`,
  );
};

const namesIn = (part: object): readonly Name[] => {
  if (isLabelTest(part)) return part.names;
  return isStep(part) ? part.types : [];
};

const isLabelTest = (part: object): part is LabelTest => 'of' in part && (part.of === 'all' || part.of === 'any');
const isStep = (part: object): part is StepPattern => 'types' in part && 'direction' in part;
