import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { declaredFunctions, declaredOptions, type DeclaredFunction } from './type-declarations';

/** One function of the installed graph library that can be run on a graph alone. */
export interface LibraryFunction {
  /** Package, file and export: `graphology-metrics/node/weighted-degree#weightedDegree`. */
  readonly path: string;
  /** Snake case of the function's name: `weighted_degree`. */
  readonly name: string;
  readonly module: string;
  /** Null: the module itself is the function. */
  readonly exportName: string | null;
  readonly category: string;
  /** Arguments after the graph, in order. */
  readonly arguments: readonly ('source' | 'target' | 'each node' | 'weight' | 'options')[];
  readonly options: readonly { readonly name: string; readonly type: string; readonly default: unknown }[];
  readonly weighted: boolean;
  readonly returns: string;
  readonly declaredIn: string;
}

/** Packages whose functions compute something about a graph; the others lay out, draw, generate and convert. */
const PACKAGES: Readonly<Record<string, string>> = {
  'graphology-metrics': 'centrality',
  'graphology-components': 'components',
  'graphology-communities-louvain': 'community',
  'graphology-shortest-path': 'paths',
};

/** Finds what is installed, from the declarations the packages ship. Packages that are missing are left out. */
export const discoverLibraryFunctions = (): readonly LibraryFunction[] => {
  const found = Object.keys(PACKAGES).flatMap((name) => {
    const folder = packageFolder(name);
    return folder === null ? [] : declarationsIn(folder).flatMap((file) => functionsOf(name, folder, file));
  });
  const byName = new Map<string, LibraryFunction>();
  for (const entry of found) if (!byName.has(entry.name)) byName.set(entry.name, entry);
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
};

/** The packages belong to `graphology-library` and are found from where it is. */
const load = createRequire(require.resolve('graphology-library'));

const packageFolder = (name: string): string | null => {
  try {
    return dirname(load.resolve(`${name}/package.json`));
  } catch {
    return null;
  }
};

const declarationsIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(
      (file) => file.endsWith('.d.ts') && !file.includes('node_modules') && !/layout|experimental|utils/.test(file),
    )
    .map((file) => join(folder, file))
    .sort();

const functionsOf = (packageName: string, folder: string, file: string): readonly LibraryFunction[] => {
  const source = readFileSync(file, 'utf8');
  const base = relative(folder, file).replace(/\.d\.ts$/, '');
  const module = base === 'index' ? packageName : `${packageName}/${base}`;
  const part = base.includes('/') ? dirname(base) : null;
  return declaredFunctions(source).flatMap((declared) => {
    const taken = argumentsOf(declared, source);
    if (taken === null || !isResult(declared.returns)) return [];
    if (!isFunction(module, declared.name)) return [];
    const own =
      declared.name ??
      (base === 'index' ? packageName.replace(/^graphology-(communities-)?/, '') : base.replace(/.*\//, ''));
    return [
      {
        path: declared.name === null ? module : `${module}#${declared.name}`,
        name: snakeCase(own),
        module,
        exportName: declared.name,
        category: part === 'graph' || part === 'node' || part === 'edge' ? 'structure' : (PACKAGES[packageName] ?? ''),
        arguments: taken.arguments,
        options: taken.options.map((option) => ({ ...option, default: defaultOf(module, option.name) })),
        weighted: taken.weighted,
        returns: declared.returns.replaceAll(/\s+/g, ' '),
        declaredIn: `${packageName}/${relative(folder, file)}`,
      },
    ];
  });
};

/** Null where a function wants something a request cannot give, such as a callback. */
const argumentsOf = ({ parameters, returns }: DeclaredFunction, source: string) => {
  const taken: LibraryFunction['arguments'][number][] = [];
  let options: readonly { readonly name: string; readonly type: string }[] = [];
  let weighted = false;
  for (const { name, type } of parameters) {
    if (name === 'source' || name === 'target') taken.push(name);
    else if (name === 'node') taken.push(returns === 'number' ? 'each node' : 'source');
    else if (name === 'getEdgeWeight') {
      taken.push('weight');
      weighted = true;
    } else if (name === 'options') {
      const declared = declaredOptions(source, type.replace(/<[\s\S]*/, ''));
      // Names of attributes to read or to assign have no meaning here.
      options = declared.options.filter((option) => !/Attribute$/.test(option.name));
      weighted = declared.weighted;
      taken.push('options');
    } else return null;
  }
  return { arguments: taken, options, weighted };
};

const isResult = (returns: string): boolean =>
  !/^(void|G|Graph\b.*|never|BrandesResult|\w*PathMapping)$/s.test(returns);

const isFunction = (module: string, name: string | null): boolean => typeof libraryExport(module, name) === 'function';

/** What a module of the library exports under a name, or the module itself. */
export const libraryExport = (module: string, name: string | null): unknown => {
  try {
    const loaded: unknown = load(module);
    if (name === null) return loaded;
    return typeof loaded === 'object' || typeof loaded === 'function' ? Reflect.get(loaded ?? {}, name) : undefined;
  } catch {
    return undefined;
  }
};

/** The default the code has for an option; null when it says none. */
const defaultOf = (module: string, option: string): unknown => {
  const code = readFileSync(load.resolve(module), 'utf8');
  const spelled = new RegExp(`DEFAULTS = \\{[^}]*\\b${option}:\\s*([^,\\n}]+)`).exec(code)?.[1]?.trim();
  if (spelled === undefined) return null;
  if (spelled === 'true' || spelled === 'false') return spelled === 'true';
  return Number.isNaN(Number(spelled)) ? null : Number(spelled);
};

const snakeCase = (name: string): string =>
  name
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();
