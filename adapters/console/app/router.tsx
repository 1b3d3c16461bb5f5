import {
  createHashHistory,
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from '@tanstack/react-router';
import { asError } from '../api/failure';
import { type MappingFilter } from '../api/mappings';
import { type AdministrationSearch } from '../pages/administration/administration-page';
import { FirstUsePage } from '../pages/first-use/first-use-page';
import { type GraphsSearch, GraphsPage } from '../pages/graphs/graphs-page';
import { type DataSearch } from '../pages/data/data-page';
import { type MappingSearch } from '../pages/mappings/mapping-page';
import { Problem } from '../kit/view';
import { Shell, type ShellContext } from './shell';

const LazyGraphPage = lazyRouteComponent(() => import('../pages/query/graph-page'), 'GraphPage');
const LazyAlgorithmsPage = lazyRouteComponent(() => import('../pages/algorithms/algorithms-page'), 'AlgorithmsPage');
const LazyDataPage = lazyRouteComponent(() => import('../pages/data/data-page'), 'DataPage');
const LazyMappingsPage = lazyRouteComponent(() => import('../pages/mappings/mappings-page'), 'MappingsPage');
const LazyMappingPage = lazyRouteComponent(() => import('../pages/mappings/mapping-page'), 'MappingPage');
const LazyMappingEditor = lazyRouteComponent(() => import('../pages/mapping-editor/mapping-editor'), 'MappingEditor');
const LazyEditMappingPage = lazyRouteComponent(
  () => import('../pages/mapping-editor/edit-mapping-page'),
  'EditMappingPage',
);

const LazyAdministrationPage = lazyRouteComponent(
  () => import('../pages/administration/administration-page'),
  'AdministrationPage',
);

const rootRoute = createRootRouteWithContext<ShellContext>()({ staticData: { title: 'Console' }, component: Shell });

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined;
const number = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : undefined;

const graphsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  staticData: { title: 'Graphs' },
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
  staticData: { title: 'Graph', graphTab: 'Query' },
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
  staticData: { title: 'Algorithms', graphTab: 'Algorithms' },
  component: () => {
    const { id } = algorithmsRoute.useParams();
    return <LazyAlgorithmsPage key={id} id={Number(id)} />;
  },
});
const administrationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/administration',
  staticData: { title: 'Administration' },
  validateSearch: (search: Record<string, unknown>): AdministrationSearch => ({
    tab: text(search['tab']),
    status: text(search['status']),
  }),
  component: () => <LazyAdministrationPage search={administrationRoute.useSearch()} />,
});
const dataRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/data',
  staticData: { title: 'Data' },
  validateSearch: (search: Record<string, unknown>): DataSearch => ({
    q: text(search['q']),
    catalog: text(search['catalog']),
    schema: text(search['schema']),
    table: text(search['table']),
  }),
  component: () => <LazyDataPage search={dataRoute.useSearch()} />,
});
const mappingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/mappings',
  staticData: { title: 'Mappings' },
  validateSearch: (search: Record<string, unknown>): MappingFilter => ({
    search: text(search['search']),
    owner: text(search['owner']),
  }),
  component: () => <LazyMappingsPage search={mappingsRoute.useSearch()} />,
});
const newMappingRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/mappings/new',
  staticData: { title: 'New mapping' },
  validateSearch: (search: Record<string, unknown>): { readonly table?: string | undefined } => ({
    table: text(search['table']),
  }),
  component: () => <LazyMappingEditor mapping={null} table={newMappingRoute.useSearch().table} />,
});
const mappingRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/mappings/$id',
  staticData: { title: 'Mapping' },
  validateSearch: (search: Record<string, unknown>): MappingSearch => ({
    version: number(search['version']),
    with: number(search['with']),
  }),
  component: () => {
    const { id } = mappingRoute.useParams();
    return <LazyMappingPage key={id} id={Number(id)} search={mappingRoute.useSearch()} />;
  },
});
const editMappingRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/mappings/$id/edit',
  staticData: { title: 'Edit mapping' },
  component: () => {
    const { id } = editMappingRoute.useParams();
    return <LazyEditMappingPage key={id} id={Number(id)} />;
  },
});

/** The pages by URL. The path follows `#`, so that query texts are not written to the server's logs. */
export const router = createRouter({
  routeTree: rootRoute.addChildren([
    graphsRoute,
    startRoute,
    tablesRoute,
    graphRoute,
    algorithmsRoute,
    dataRoute,
    mappingsRoute,
    newMappingRoute,
    mappingRoute,
    editMappingRoute,
    administrationRoute,
  ]),
  history: createHashHistory(),
  context: { signOut: () => undefined },
  defaultNotFoundComponent: () => <h1>There is nothing at this address. Choose a page above.</h1>,
  defaultErrorComponent: ({ error }) => <Problem error={asError(error)} title="This page cannot be shown" />,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
