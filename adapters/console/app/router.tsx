import {
  createHashHistory,
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Link,
  useLocation,
} from '@tanstack/react-router';
import { asError } from '../api/failure';
import { PageTitle, Problem } from '../kit/view';
import { FirstUsePage } from '../pages/first-use/first-use-page';
import { GraphsPage } from '../pages/graphs/graphs-page';
import { type MappingSearch } from '../pages/mappings/mapping-page';
import { Shell, type ShellContext } from './shell';

/** What is wrong with an address without a page, and where to continue. */
const NotFound = () => (
  <>
    <PageTitle mb="sm">Page not found</PageTitle>
    <p>
      Unknown page <bdi>{useLocation().pathname}</bdi>. Expected an address such as /graphs/12 or /mappings/7. See{' '}
      <Link to="/">all graphs</Link> or <Link to="/mappings">all mappings</Link>.
    </p>
  </>
);

const LazyMappingEditor = lazyRouteComponent(() => import('../pages/mapping-editor/mapping-editor'), 'MappingEditor');

const rootRoute = createRootRouteWithContext<ShellContext>()({ staticData: { title: 'Console' }, component: Shell });

type Search = Readonly<Record<string, unknown>>;
type Texts<N extends string> = { readonly [name in N]?: string | undefined };

/** The search parameters with these names; values that are not texts are ignored. */
const texts =
  <N extends string>(...names: readonly N[]) =>
  (search: Search): Texts<N> => {
    const text = (value: unknown): string | undefined =>
      typeof value === 'number' ? String(value) : typeof value === 'string' && value !== '' ? value : undefined;
    return Object.fromEntries(names.map((name) => [name, text(search[name])])) as Texts<N>;
  };
const number = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : undefined;

/** The id in a path; a path with another text is not found. */
const params = {
  parse: ({ id }: { readonly id: string }) => /^[1-9]\d{0,14}$/.test(id) && { id: Number(id) },
  stringify: ({ id }: { readonly id: number }) => ({ id: String(id) }),
};

const graphsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  staticData: { title: 'Graphs' },
  validateSearch: texts('search', 'status', 'owner'),
  component: () => <GraphsPage emptyState={<FirstUsePage />} />,
});
const tablesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/tables',
  staticData: { title: 'Use my tables' },
  component: lazyRouteComponent(() => import('../pages/first-use/tables-page'), 'TablesPage'),
});
const startRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/start',
  staticData: { title: 'New graph' },
  component: FirstUsePage,
});
const graphRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/graphs/$id',
  params,
  staticData: { title: 'Graph', tab: { of: 'graph', title: 'Query' } },
  validateSearch: texts('query'),
  component: lazyRouteComponent(() => import('../pages/query/graph-page'), 'GraphPage'),
});
const algorithmsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/graphs/$id/algorithms',
  params,
  staticData: { title: 'Algorithms', tab: { of: 'graph', title: 'Algorithms' } },
  component: lazyRouteComponent(() => import('../pages/algorithms/algorithms-page'), 'AlgorithmsPage'),
});
const graphHistoryRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/graphs/$id/history',
  params,
  staticData: { title: 'History of graph', tab: { of: 'graph', title: 'History' } },
  component: lazyRouteComponent(() => import('../pages/history/history-page'), 'GraphHistoryPage'),
});
const administrationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/administration',
  staticData: { title: 'Administration' },
  validateSearch: texts(
    ...([
      'tab',
      'status',
      'cursor',
      'actor',
      'role',
      'type',
      'resource_type',
      'resource_id',
      'correlation_id',
      'from',
      'to',
    ] as const),
  ),
  component: lazyRouteComponent(() => import('../pages/administration/administration-page'), 'AdministrationPage'),
});
const dataRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/data',
  staticData: { title: 'Data' },
  validateSearch: texts('q', 'catalog', 'schema', 'table'),
  component: lazyRouteComponent(() => import('../pages/data/data-page'), 'DataPage'),
});
const mappingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/mappings',
  staticData: { title: 'Mappings' },
  validateSearch: texts('search', 'owner'),
  component: lazyRouteComponent(() => import('../pages/mappings/mappings-page'), 'MappingsPage'),
});
const newMappingRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/mappings/new',
  staticData: { title: 'New mapping' },
  validateSearch: texts('table'),
  component: () => <LazyMappingEditor mapping={null} table={newMappingRoute.useSearch().table} />,
});
const mappingRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/mappings/$id',
  params,
  staticData: { title: 'Mapping', tab: { of: 'mapping', title: 'Definitions' } },
  validateSearch: (search: Search): MappingSearch => ({
    version: number(search['version']),
    with: number(search['with']),
  }),
  component: lazyRouteComponent(() => import('../pages/mappings/mapping-page'), 'MappingPage'),
});
const editMappingRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/mappings/$id/edit',
  params,
  staticData: { title: 'Edit mapping' },
  component: lazyRouteComponent(() => import('../pages/mapping-editor/mapping-editor'), 'EditMappingPage'),
});

const mappingHistoryRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/mappings/$id/history',
  params,
  staticData: { title: 'History of mapping', tab: { of: 'mapping', title: 'History' } },
  component: lazyRouteComponent(() => import('../pages/history/history-page'), 'MappingHistoryPage'),
});

/** The pages by URL. The path follows `#`, so that query texts are not written to the server's logs. */
export const router = createRouter({
  routeTree: rootRoute.addChildren([
    graphsRoute,
    startRoute,
    tablesRoute,
    graphRoute,
    algorithmsRoute,
    graphHistoryRoute,
    dataRoute,
    mappingsRoute,
    newMappingRoute,
    mappingRoute,
    editMappingRoute,
    mappingHistoryRoute,
    administrationRoute,
  ]),
  history: createHashHistory(),
  context: { signOut: () => undefined },
  // The page of another resource does not keep the state of the last one.
  defaultRemountDeps: ({ params: of }) => of,
  defaultNotFoundComponent: NotFound,
  defaultErrorComponent: ({ error }) => <Problem error={asError(error)} title="Failed to load the page" />,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
