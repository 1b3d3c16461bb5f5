import {
  createHashHistory,
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from '@tanstack/react-router';
import { type AdministrationSearch } from '../pages/administration/administration-page';
import { FirstUsePage } from '../pages/first-use/first-use-page';
import { type GraphsSearch, GraphsPage } from '../pages/graphs/graphs-page';
import { Shell, type ShellContext } from './shell';

const LazyGraphPage = lazyRouteComponent(() => import('../pages/query/graph-page'), 'GraphPage');
const LazyAlgorithmsPage = lazyRouteComponent(() => import('../pages/algorithms/algorithms-page'), 'AlgorithmsPage');

const LazyAdministrationPage = lazyRouteComponent(
  () => import('../pages/administration/administration-page'),
  'AdministrationPage',
);

const rootRoute = createRootRouteWithContext<ShellContext>()({ component: Shell });

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined;

const graphsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  validateSearch: (search: Record<string, unknown>): GraphsSearch => ({
    search: text(search['search']),
    status: text(search['status']),
    owner: text(search['owner']),
  }),
  component: () => <GraphsPage search={graphsRoute.useSearch()} whenEmpty={<FirstUsePage />} />,
});
const tablesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/tables',
  component: lazyRouteComponent(() => import('../pages/first-use/tables-page'), 'TablesPage'),
});
const startRoute = createRoute({ getParentRoute: () => rootRoute, path: '/start', component: FirstUsePage });
const graphRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/graphs/$id',
  staticData: { graphTab: 'Query' },
  validateSearch: (search: Record<string, unknown>): { readonly query?: string | undefined } => ({
    query: text(search['query']),
  }),
  component: () => {
    const { id } = graphRoute.useParams();
    return <LazyGraphPage key={id} id={Number(id)} query={graphRoute.useSearch().query} />;
  },
});
const algorithmsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/graphs/$id/algorithms',
  staticData: { graphTab: 'Algorithms' },
  component: () => {
    const { id } = algorithmsRoute.useParams();
    return <LazyAlgorithmsPage key={id} id={Number(id)} />;
  },
});
const administrationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/administration',
  validateSearch: (search: Record<string, unknown>): AdministrationSearch => ({
    tab: text(search['tab']),
    status: text(search['status']),
  }),
  component: () => <LazyAdministrationPage search={administrationRoute.useSearch()} />,
});

/** The pages by address. The address is behind `#`, so that texts of queries stay out of the server's logs. */
export const router = createRouter({
  routeTree: rootRoute.addChildren([
    graphsRoute,
    startRoute,
    tablesRoute,
    graphRoute,
    algorithmsRoute,
    administrationRoute,
  ]),
  history: createHashHistory(),
  context: { signOut: () => undefined },
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
