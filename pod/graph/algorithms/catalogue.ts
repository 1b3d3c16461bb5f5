import { type AlgorithmChoice } from './algorithm-job';
import { type Kernel } from './kernel';
import { KERNELS } from './kernel-registry';
import { type LibraryFunction } from './library/library-function';
import { LIBRARY_FUNCTIONS } from './library/library-functions.generated';
import { flag, real, type Parameter, type Signature } from './signature';
import * as t from 'io-ts';

/** One algorithm a request can name: a kernel, or a function of the installed graph library. */
export interface CatalogueEntry extends Pick<
  Kernel,
  | 'name'
  | 'aliases'
  | 'description'
  | 'details'
  | 'returns'
  | 'valueType'
  | 'graph'
  | 'ends'
  | 'weighted'
  | 'parameters'
  | 'mostNodes'
> {
  readonly category: string;
  readonly choice: AlgorithmChoice;
  /** Most rows of edges it takes; null: any number. */
  readonly mostEdges: number | null;
  readonly functionPath: string;
  readonly documentationUrl: string;
  readonly extractedFrom: string;
}

/** The library builds objects per node and edge: this many take seconds and some hundred megabytes. */
const MOST_LIBRARY_NODES = 50_000;
const MOST_LIBRARY_EDGES = 500_000;

const ofKernel = (kernel: Kernel): CatalogueEntry => ({
  ...kernel,
  choice: { kind: 'kernel', name: kernel.name },
  mostEdges: null,
  functionPath: `kernels.${kernel.name}`,
  documentationUrl: `https://networkx.org/documentation/stable/search.html?q=${kernel.name}`,
  extractedFrom: 'signature',
});

const ofLibrary = (entry: LibraryFunction): CatalogueEntry => ({
  name: entry.name,
  aliases: [entry.path],
  category: entry.category,
  description: `${entry.path} of the graph library.`,
  details: `Computed by ${entry.path}, which answers ${entry.returns}. For at most ${MOST_LIBRARY_NODES} nodes and ${MOST_LIBRARY_EDGES} edges.`,
  returns: entry.answers,
  valueType: 'DOUBLE',
  graph: 'either',
  ends: entry.arguments.includes('target')
    ? 'source and target'
    : entry.arguments.includes('source')
      ? 'source'
      : 'none',
  weighted: entry.weighted,
  parameters: Object.fromEntries(entry.options.map((option) => [option.name, libraryOption(option)])),
  mostNodes: MOST_LIBRARY_NODES,
  choice: { kind: 'library', path: entry.path },
  mostEdges: MOST_LIBRARY_EDGES,
  functionPath: entry.path,
  documentationUrl: `https://graphology.github.io/standard-library/${entry.path.replace(/^graphology-([a-z-]+).*/, '$1')}.html`,
  extractedFrom: entry.declaredIn,
});

const libraryOption = (option: LibraryFunction['options'][number]): Parameter => {
  const description = `Option ${option.name} of the library; null: its own default.`;
  const nullable = <A>(parameter: Parameter<A>): Parameter => ({
    ...parameter,
    fallback: option.default,
    decode: (sent) => (sent === null ? t.success(null) : parameter.decode(sent)),
  });
  if (option.type === 'boolean') return nullable(flag({ default: false, description }));
  if (option.type === 'number') return nullable(real({ default: 0, description }));
  return {
    type: 'string',
    fallback: option.default,
    description,
    aliases: [],
    decode: (sent) => t.union([t.string, t.null]).decode(sent),
  };
};

/** Kernels first; library functions under names that are free. */
const build = (): readonly CatalogueEntry[] => {
  const kernels = KERNELS.map(ofKernel);
  const taken = new Set(kernels.flatMap(({ name, aliases }) => [name, ...aliases]));
  return [...kernels, ...LIBRARY_FUNCTIONS.filter(({ name }) => !taken.has(name)).map(ofLibrary)];
};

let built: readonly CatalogueEntry[] | null = null;

/** Every algorithm of the graph library, in the order in which they are shown. */
export const catalogue = (): readonly CatalogueEntry[] => (built ??= build());

export const findEntry = (name: string): CatalogueEntry | null =>
  catalogue().find((entry) => entry.name === name || entry.aliases.includes(name)) ?? null;

const MOST_SUGGESTIONS = 3;

/** The names nearest to one that is not there, nearest first; empty when none is like it. */
export const nearestNames = (wanted: string, names: readonly string[]): readonly string[] => {
  const text = wanted.toLowerCase();
  return names
    .map((name) => ({ name, distance: name.includes(text) || text.includes(name) ? 1 : editDistance(text, name) }))
    .filter(({ name, distance }) => distance <= Math.max(2, Math.ceil(name.length / 3)))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, MOST_SUGGESTIONS)
    .map(({ name }) => name);
};

/** Levenshtein's distance, row by row. */
const editDistance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries()) {
      next.push(Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (letter === other ? 0 : 1)));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
};

/** The parameters of a signature as the discovery endpoints show them. */
export const shownParameters = (signature: Signature) =>
  Object.entries(signature).map(([name, { type, fallback, description }]) => ({
    name,
    type,
    required: fallback === undefined,
    default: fallback ?? null,
    description,
  }));
