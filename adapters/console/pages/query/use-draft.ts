import { useEffect, useState } from 'react';
import { useSearch } from '@tanstack/react-router';
import { useSession } from '../../api/session-context';
import { type Kept, readKept, withRun } from '../../kit/kept';
import { readJson, writeJson } from '../../kit/kept-json';
import { useFilter } from '../../kit/use-filter';

const FIRST_QUERY = 'MATCH (a)-[r]->(b)\nRETURN a, r, b LIMIT 300';

/** The text in the editor, with its parameters and the history, and a function that changes it. */
export const useDraft = (mappingId: number) => {
  const { query } = useSearch({ from: '/graphs/$id' });
  const filter = useFilter();
  const key = `rowgraph.queries.${useSession().username}.${mappingId}`;
  // Each tab has its own text; the history is shared. A query in the URL comes first.
  const [kept, setKept] = useState((): Kept => {
    const stored = { ...readKept(localStorage, key), ...readJson(sessionStorage, key, {}) };
    return { ...stored, draft: query ?? (stored.draft || FIRST_QUERY) };
  });
  useEffect(() => {
    if (query !== undefined) setKept((before) => ({ ...before, draft: query }));
  }, [query]);
  const change = (part: Partial<Omit<Kept, 'history'>>, isRun = false): void => {
    const { draft, parameters } = { ...kept, ...part };
    const stored = { ...readKept(localStorage, key), draft, parameters };
    const next = isRun ? withRun(stored, draft) : stored;
    setKept(next);
    writeJson(localStorage, key, next);
    writeJson(sessionStorage, key, { draft, parameters });
    if (query !== undefined && query !== draft) filter({ query: undefined });
  };
  return { ...kept, change };
};
