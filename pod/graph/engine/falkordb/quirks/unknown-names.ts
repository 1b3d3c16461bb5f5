import { type Quirk } from '../../cypher/quirk';
import { type LabelTest, type Name, type StepPattern } from '../../cypher/tree';
import { partsOf } from '../../cypher/walk';

/** Labels and edge types that the graph does not have match nothing, as in openCypher; they are often misspelt. */
export const unknownNames: Quirk = {
  id: 'falkordb-unknown-names',
  description: 'An unknown label or edge type matches nothing; the answer has a warning.',
  shown: { query: 'MATCH (n:Acount) RETURN count(n)', right: [[0]], wrong: [[0]] },
  warn: (query, { schema: { nodeTables, edgeTables } }) => {
    const labels = nodeTables.map(({ label }) => label);
    const types = edgeTables.map(({ type }) => type);
    const known = new Set([...labels, ...types]);
    const unknown = [...partsOf(query)].flatMap(namesIn).filter(({ text }) => !known.has(text));
    return unknown.map(
      ({ text }) =>
        `Unknown label or edge type ${text}: nothing matches it. ` +
        `Labels: ${labels.join(', ')}; edge types: ${types.join(', ')}.`,
    );
  },
};

const namesIn = (part: object): readonly Name[] => {
  if (isLabelTest(part)) return part.names;
  return isStep(part) ? part.types : [];
};

const isLabelTest = (part: object): part is LabelTest => 'of' in part && (part.of === 'all' || part.of === 'any');
const isStep = (part: object): part is StepPattern => 'types' in part && 'direction' in part;
