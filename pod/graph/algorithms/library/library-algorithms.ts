import * as t from 'io-ts';
import { nullable } from '../../../../domain/kernel/codecs';
import { DISTANCES, type LibraryAlgorithm, SUMS, USUAL } from '../algorithm';
import { type Parameter, parameter } from '../signature';
import { type LibraryFunction } from './library-function';
import { LIBRARY_FUNCTIONS } from './library-functions.generated';

/** The library creates objects per node and edge: this number takes seconds and some hundred megabytes. */
const MAX_NODES = 50_000;
const MAX_EDGES = 500_000;

const algorithmOf = (callable: LibraryFunction): LibraryAlgorithm => {
  const { name, path, category, answers, returns, weighted, options } = callable;
  const [source, target] = [callable.arguments.includes('source'), callable.arguments.includes('target')];
  return {
    ...USUAL,
    engine: 'library',
    callable,
    name,
    aliases: [path],
    category,
    description: `${path} of the graph library.`,
    details: `Computed by ${path}, which answers ${returns}. For at most ${MAX_NODES} nodes and ${MAX_EDGES} edges.`,
    returns: answers,
    valueType: 'DOUBLE',
    ends: target ? 'source and target' : source ? 'source' : 'none',
    weights: !weighted ? null : path.startsWith('graphology-shortest-path') ? DISTANCES : SUMS,
    parameters: Object.fromEntries(options.map((option) => [option.name, parameterOf(option)])),
    maxNodes: MAX_NODES,
    maxEdges: MAX_EDGES,
    steps: null,
  };
};

const CODECS = { boolean: t.boolean, number: t.number, string: t.string };

const parameterOf = ({ name, type, default: fallback }: LibraryFunction['options'][number]): Parameter =>
  parameter<unknown>(type, nullable(CODECS[type]), {
    default: fallback,
    description: `Option ${name} of the library; null: its own default.`,
  });

/** The functions of the graph library as catalogue entries. */
export const LIBRARY_ALGORITHMS: readonly LibraryAlgorithm[] = LIBRARY_FUNCTIONS.map(algorithmOf);
