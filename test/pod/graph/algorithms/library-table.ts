import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { type LibraryFunction } from '../../../../pod/graph/algorithms/library/library-function';

/** Packages whose functions compute something about a graph; the others lay out, draw, generate and convert. */
const PACKAGES: Readonly<Record<string, string>> = {
  'graphology-metrics': 'centrality',
  'graphology-components': 'components',
  'graphology-communities-louvain': 'community',
  'graphology-shortest-path': 'paths',
};

/** The packages belong to `graphology-library` and are found from where it is. */
const library = createRequire(require.resolve('graphology-library'));

/** Every function of the installed graph library that needs only a graph, by the types that the packages declare. */
export const libraryTable = (): readonly LibraryFunction[] => {
  const files = Object.keys(PACKAGES).flatMap(declarationsOf);
  const program = ts.createProgram(files.map(({ file }) => file), { skipLibCheck: true, strict: true }); // prettier-ignore
  const byName = new Map<string, LibraryFunction>();
  for (const found of files.flatMap((file) => functionsOf(file, program))) {
    if (!byName.has(found.name)) byName.set(found.name, found);
  }
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
};

interface Declarations {
  readonly packageName: string;
  readonly file: string;
  /** Path within the package, without its ending. */
  readonly base: string;
}

const declarationsOf = (packageName: string): readonly Declarations[] => {
  const folder = dirname(library.resolve(`${packageName}/package.json`));
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.d.ts') && !/node_modules|layout|experimental|utils/.test(name))
    .map((name) => join(folder, name))
    .sort()
    .map((file) => ({ packageName, file, base: relative(folder, file).replace(/\.d\.ts$/, '') }));
};

const functionsOf = ({ packageName, file, base }: Declarations, program: ts.Program): readonly LibraryFunction[] => {
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file)!;
  const symbol = checker.getSymbolAtLocation(source);
  const module = base === 'index' ? packageName : `${packageName}/${base}`;
  return checker.getExportsOfModule(symbol!).flatMap((exported): LibraryFunction[] => {
    const isDefault = exported.name === 'default';
    const declared = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
    if (declared.declarations?.[0]?.getSourceFile() !== source) return [];
    const [signature] = checker.getTypeOfSymbol(exported).getCallSignatures();
    if (signature === undefined || !isFunction(module, isDefault ? null : exported.name)) return [];
    const returns = signature.declaration?.type?.getText().replaceAll(/\s+/g, ' ') ?? 'void';
    const taken = argumentsOf(signature, returns, checker);
    if (
      taken === null ||
      /^(void|G|Graph\b.*|never|\w*Brandes\w*|\w*PathMapping|SingleSourceDijkstraResult)$/.test(returns)
    )
      return [];
    const own = isDefault ? (base === 'index' ? packageName.replace(/^graphology-(communities-)?/, '') : base.replace(/.*\//, '')) : exported.name; // prettier-ignore
    return [
      {
        name: own.replaceAll(/([a-z])([A-Z])/g, '$1_$2').replaceAll('-', '_').toLowerCase(), // prettier-ignore
        path: isDefault ? module : `${module}#${exported.name}`,
        category: /^(graph|node|edge)\//.test(base) ? 'structure' : PACKAGES[packageName]!,
        arguments: taken.arguments,
        options: taken.options.map((option) => ({ ...option, default: defaultOf(module, option.name) })),
        weighted: taken.weighted,
        answers: taken.arguments.includes('each node') ? 'node_values' : answerOf(returns),
        returns,
        declaredIn: `${packageName}/${base}.d.ts`,
      },
    ];
  });
};

const answerOf = (returns: string): LibraryFunction['answers'] => {
  if (/^(number|boolean)$/.test(returns)) return 'scalar';
  if (/^(Array<string>|BidirectionalDijstraResult)$/.test(returns)) return 'path';
  return /^(Disparity|SimmelianStrength)Mapping$/.test(returns) ? 'edges' : 'node_values';
};

/** Null for a function that needs a value that a request cannot contain, such as a callback. */
const argumentsOf = (signature: ts.Signature, returns: string, checker: ts.TypeChecker) => {
  const taken: LibraryFunction['arguments'][number][] = [];
  let options: readonly { readonly name: string; readonly type: 'number' | 'boolean' | 'string' }[] = [];
  let weighted = false;
  for (const parameter of signature.getParameters().slice(1)) {
    const { name } = parameter;
    if (name === 'source' || name === 'target') taken.push(name);
    else if (name === 'node') taken.push(returns === 'number' ? 'each node' : 'source');
    else if (name === 'getEdgeWeight') {
      taken.push('weight');
      weighted = true;
    } else if (name === 'options') {
      taken.push('options');
      const properties = checker.getNonNullableType(checker.getTypeOfSymbol(parameter)).getProperties();
      weighted = properties.some((property) => property.name === 'getEdgeWeight');
      options = properties.flatMap((property) => {
        const type = checker.typeToString(checker.getNonNullableType(checker.getTypeOfSymbol(property)));
        // Names of attributes to read or to assign have no meaning here.
        const simple = (type === 'number' || type === 'boolean' || type === 'string') && !/Attribute$/.test(property.name); // prettier-ignore
        return simple ? [{ name: property.name, type }] : [];
      });
    } else return null;
  }
  return { arguments: taken, options, weighted };
};

const isFunction = (module: string, name: string | null): boolean => {
  try {
    const loaded: unknown = library(module);
    return typeof (name === null ? loaded : Reflect.get(loaded as object, name)) === 'function';
  } catch {
    return false;
  }
};

/** The default of an option in the code, which no type declares; null if there is none. */
const defaultOf = (module: string, option: string): LibraryFunction['options'][number]['default'] => {
  const code = readFileSync(library.resolve(module), 'utf8');
  const spelled = new RegExp(`DEFAULTS = \\{[^}]*\\b${option}:\\s*([^,\\n}]+)`).exec(code)?.[1]?.trim();
  if (spelled === 'true' || spelled === 'false') return spelled === 'true';
  return spelled === undefined || Number.isNaN(Number(spelled)) ? null : Number(spelled);
};
