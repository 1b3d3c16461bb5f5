/** The import rules of docs/architecture.md. Each comment says what to do instead. */
const only = (name, from, allowed, comment) => ({
  name,
  severity: 'error',
  comment,
  from: { path: `^${from}/` },
  to: { pathNot: [`^${from}/`, ...allowed.map((path) => `^${path}`)] },
});
const nodeModule = (name) => `node_modules/${name}`;
const never = (name, from, to, comment) => ({
  name,
  severity: 'error',
  comment,
  from: typeof from === 'string' ? { path: from } : from,
  to,
});

module.exports = {
  forbidden: [
    {
      name: 'no-circular-files',
      severity: 'error',
      comment: 'Move the shared piece to a file that both import; a cycle of types counts as well.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-circular-folders',
      severity: 'error',
      scope: 'folder',
      comment: 'Move the shared piece to the lower of the two folders.',
      from: {},
      to: { circular: true },
    },
    only(
      'domain-is-pure',
      'domain',
      [nodeModule('fp-ts'), nodeModule('io-ts'), nodeModule('immutable')],
      'The domain imports only itself, fp-ts, io-ts and immutable. Declare a port in domain/ports and implement it in adapters.',
    ),
    only(
      'commands-know-the-domain-only',
      'commands',
      ['domain/', nodeModule('fp-ts'), nodeModule('io-ts'), nodeModule('immutable'), nodeModule('lru-cache')],
      'A command talks to the outside through a port of domain/ports.',
    ),
    never(
      'projections-read-events-only',
      '^projections/',
      { path: '^(commands|queries|adapters|pod)/' },
      'A projection turns events into SQL on its own tables: no commands, queries or adapters.',
    ),
    never(
      'queries-read-read-models-only',
      '^queries/',
      { path: '^(commands|projections|adapters|pod)/' },
      'A query speaks SQL on a read model; for anything else take a port.',
    ),
    only(
      'views-are-declarations',
      'queries/views',
      ['domain/', nodeModule('fp-ts'), nodeModule('io-ts')],
      'A view says what an answer is; queries read it, endpoints, clients and pods share it.',
    ),
    never(
      'endpoints-know-views-only',
      '^adapters/http/(public|internal)/[a-z-]+/[a-z-]*endpoints',
      { path: '^queries/', pathNot: '^queries/views/' },
      'An endpoint declares what is asked and answered; its handler calls the query.',
    ),
    never(
      'adapters-never-import-pods',
      '^adapters/',
      { path: '^pod/' },
      'A pod is a program of its own, above the adapters; what both sides agree on is in adapters/contracts.',
    ),
    never(
      'pods-are-programs-of-their-own',
      '^pod/',
      { path: '^(commands|queries|projections)/', pathNot: '^queries/views/' },
      'A pod talks to the control plane over the internal API only.',
    ),
    never(
      'pods-take-few-adapters',
      '^pod/',
      { path: '^adapters/', pathNot: '^adapters/(contracts|http/kit|filesystem|s3|duckdb|trino|system)/' },
      'A pod may use contracts, the HTTP kit, engines and object stores; the rest belongs to the control plane.',
    ),
    never(
      'only-its-adapter-names-eventstoredb',
      { path: '.', pathNot: '^(adapters/eventstoredb/|bench/event-store/bare-client|test/)' },
      { path: nodeModule('@eventstore/') },
      'Take the EventStore port; the client and what is particular to it stay in adapters/eventstoredb.',
    ),
    never(
      'contracts-are-declarations',
      '^adapters/contracts/',
      { path: '^adapters/', pathNot: '^adapters/(contracts|http/kit)/' },
      'A contract declares what two programs agree on; what serves or calls it is elsewhere.',
    ),
    never(
      'only-start-builds-adapters',
      '^adapters/http/',
      {
        path: '^adapters/(postgres|eventstoredb|duckdb|trino|filesystem|s3|local-process|kubernetes|embedded|start|maintenance|demo)/',
      },
      'Take the port as a parameter; adapters/start passes the adapter in.',
    ),
    never(
      'nothing-imports-benches',
      { path: '.', pathNot: '^bench/' },
      { path: '^bench/' },
      'A benchmark measures the system from outside; move what both need to the room it belongs to.',
    ),
    never(
      'clients-know-the-api-only',
      '^adapters/(client|cli)/',
      {
        path: '^(commands|queries|projections|adapters)/',
        pathNot: [
          '^adapters/(client|cli|contracts|http/kit)/',
          '^adapters/system/retry',
          '^adapters/http/public/public-endpoints',
          '^adapters/http/public/[a-z-]+/[a-z-]*endpoints',
        ],
      },
      'The client and the command line see declarations of the API, never what serves it.',
    ),
    never(
      'only-the-consoles-api-calls',
      '^adapters/console/(app|kit|graph|language|pages)/',
      { path: '^(domain|commands|queries|projections|adapters)/', pathNot: '^adapters/console/' },
      'A page asks adapters/console/api, which alone knows the client.',
    ),
    never(
      'the-consoles-api-knows-the-client-only',
      '^adapters/console/api/',
      {
        path: '^(domain|commands|queries|projections|adapters)/',
        pathNot: '^adapters/(console/api/|client/|contracts/graph-pod/export-formats)',
      },
      'Take what is needed from adapters/client/web; a page is above the api, not below it.',
    ),
    {
      name: 'pages-of-the-console-do-not-meet',
      severity: 'error',
      comment: 'Move the shared piece to adapters/console/kit; a page can be deleted with its folder and route.',
      from: { path: '^adapters/console/pages/([^/]+)/' },
      to: { path: '^adapters/console/(app|pages)/', pathNot: '^adapters/console/pages/$1/' },
    },
    never(
      'kit-graph-and-language-are-below-pages',
      '^adapters/console/(kit|graph|language)/',
      { path: '^adapters/console/(app|api|pages)/' },
      'These are used by pages: take what they show as a parameter.',
    ),
    never(
      'drawing-and-language-without-react',
      { path: '^adapters/console/(graph|language)/.*\\.ts$' },
      { path: nodeModule('(react|react-dom|@mantine)/') },
      'Only the one component of the room knows React.',
    ),
    never(
      'nothing-imports-the-console',
      { path: '.', pathNot: '^(adapters/console|test)/' },
      { path: '^adapters/console/' },
      'The console is a program of its own in the browser; it calls the API.',
    ),
    {
      name: 'no-orphans',
      severity: 'error',
      comment: 'Nothing imports this file: delete it, or make it an entry point.',
      from: { orphan: true, pathNot: '(main\\.tsx?|\\.d\\.ts|console/api/no-node\\.ts)$' },
      to: {},
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    preserveSymlinks: true,
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'require', 'node', 'default'] },
  },
};
