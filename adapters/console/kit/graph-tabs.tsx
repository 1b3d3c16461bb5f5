import { Link, useRouter } from '@tanstack/react-router';

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The subject of the page. */
    readonly title: string;
    /** The route is for one graph, and is linked under this title. */
    readonly graphTab?: string;
  }
}

/** Links to the pages of a graph, derived from the routes. */
export const GraphTabs = ({ id }: { readonly id: number }) => {
  const routes = Object.values(useRouter().routesById);
  const tabs = routes.flatMap(({ fullPath, options }) => {
    const title = options.staticData.graphTab;
    return title === undefined ? [] : [{ fullPath, title }];
  });
  return (
    <nav className="graph-tabs" aria-label="Graph">
      {tabs.map(({ fullPath, title }) => (
        <Link
          key={fullPath}
          to={fullPath as '/graphs/$id'}
          params={{ id }}
          activeOptions={{ exact: true, includeSearch: false }}
        >
          {title}
        </Link>
      ))}
    </nav>
  );
};
