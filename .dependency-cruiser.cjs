/** The import rules of docs/architecture.md. Each comment says what to do instead. */
const only = (name, from, allowed, comment) => ({
  name,
  severity: 'error',
  comment,
  from: { path: `^${from}/` },
  to: { pathNot: [`^${from}/`, ...allowed.map((path) => `^${path}`)] },
});
const nodeModule = (name) => `node_modules/${name}`;

module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      severity: 'error',
      comment: 'Move the shared piece to the lower of the two folders.',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    only(
      'domain-is-pure',
      'domain',
      [nodeModule('fp-ts'), nodeModule('io-ts')],
      'The domain imports only itself, fp-ts and io-ts. Declare a port in domain/ports and implement it in adapters.',
    ),
    only(
      'commands-know-the-domain-only',
      'commands',
      ['domain/', nodeModule('fp-ts'), nodeModule('io-ts')],
      'A command talks to the outside through a port of domain/ports.',
    ),
    {
      name: 'projections-read-events-only',
      severity: 'error',
      comment: 'A projection turns events into SQL on its own tables: no commands, queries or adapters.',
      from: { path: '^projections/' },
      to: { path: '^(commands|queries|adapters|pod)/' },
    },
    {
      name: 'queries-read-read-models-only',
      severity: 'error',
      comment: 'A query speaks SQL on a read model; for anything else take a port.',
      from: { path: '^queries/' },
      to: { path: '^(commands|projections|adapters|pod)/' },
    },
    {
      name: 'adapters-see-only-the-contract-of-pods',
      severity: 'error',
      comment: 'Use pod/*/contract; a pod is a program of its own.',
      from: { path: '^adapters/' },
      to: { path: '^pod/', pathNot: '^pod/[^/]+/contract' },
    },
    {
      name: 'pods-are-programs-of-their-own',
      severity: 'error',
      comment: 'A pod talks to the control plane over the internal API only.',
      from: { path: '^pod/' },
      to: { path: '^(commands|queries|projections)/' },
    },
    {
      name: 'pods-take-few-adapters',
      severity: 'error',
      comment: 'A pod may use the HTTP kit, engines and object stores; the rest belongs to the control plane.',
      from: { path: '^pod/' },
      to: { path: '^adapters/', pathNot: '^adapters/(http/kit|filesystem|s3|duckdb|trino|system)/' },
    },
    {
      name: 'only-composition-builds-adapters',
      severity: 'error',
      comment: 'Take the port as a parameter; adapters/composition passes the adapter in.',
      from: { path: '^adapters/http/' },
      to: {
        path: '^adapters/(postgres|eventstoredb|in-memory|duckdb|trino|filesystem|s3|local-process|kubernetes|embedded|composition)/',
      },
    },
    {
      name: 'clients-know-the-api-only',
      severity: 'error',
      comment: 'The client and the command line see declarations of the API, never what serves it.',
      from: { path: '^adapters/(client|cli)/' },
      to: {
        path: '^(commands|queries|projections|adapters)/',
        pathNot: '^adapters/(client/|cli/|http/kit/|http/public/[a-z-]*endpoints)',
      },
    },
    {
      name: 'no-orphans',
      severity: 'error',
      comment: 'Nothing imports this file: delete it, or make it an entry point.',
      from: { orphan: true, pathNot: 'main\\.ts$' },
      to: {},
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'require', 'node', 'default'] },
  },
};
