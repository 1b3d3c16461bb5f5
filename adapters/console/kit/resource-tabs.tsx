import { Link, useRouter } from '@tanstack/react-router';

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The subject of the page. */
    readonly title: string;
    /** The route is for one resource, and is linked under this title. */
    readonly tab?: { readonly of: 'graph' | 'mapping'; readonly title: string };
  }
}

const LABELS = { graph: 'Graph', mapping: 'Mapping' } as const;

interface ResourceTabsProps {
  readonly of: keyof typeof LABELS;
  readonly id: number;
}

/** Links to the pages of a graph or mapping, derived from the routes. */
export const ResourceTabs = ({ of, id }: ResourceTabsProps) => {
  const routes = Object.values(useRouter().routesById);
  const tabs = routes.flatMap(({ fullPath, options }) => {
    const { tab } = options.staticData;
    return tab?.of === of ? [{ fullPath, title: tab.title }] : [];
  });
  return (
    <nav className="tabs" aria-label={LABELS[of]}>
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
