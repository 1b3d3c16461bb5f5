import { useMemo, useState } from 'react';
import { type Appearance, appearanceOf } from '../../../graph/appearance';
import { type DrawnGraph, type Exploration, partOf, visibleGraph } from '../../../graph/exploration';
import { readStyle, type StoredStyle, writeStyle } from '../../../graph/stored-style';

/** Initial limit of drawn nodes. */
const DRAWN = 300;
/** More nodes make the browser slow, so they are drawn only on request. */
const MANY = 5_000;

interface Visible {
  readonly graph: DrawnGraph;
  readonly appearance: Appearance;
  readonly style: StoredStyle;
  readonly change: (next: Partial<StoredStyle>) => void;
  /** Keys of hidden legend entries. */
  readonly off: ReadonlySet<string>;
  readonly setOff: (off: ReadonlySet<string>) => void;
  /** Number of nodes, drawn or not, without hidden ones. */
  readonly total: number;
  /** The next limit of drawn nodes; null: all are drawn. */
  readonly next: number | null;
  readonly isMany: boolean;
  readonly drawNext: () => void;
}

/** The drawn part of an exploration, in the style stored for its mapping. */
export const useVisible = (exploration: Exploration, mappingId: number): Visible => {
  const [style, setStyle] = useState(() => readStyle(mappingId));
  const [limit, setLimit] = useState(DRAWN);
  const [off, setOff] = useState<ReadonlySet<string>>(new Set());
  const bounded = useMemo(() => {
    const all = visibleGraph(exploration, limit);
    const first = new Set(all.nodes.slice(0, Math.max(limit, MANY)));
    return first.size === all.nodes.length ? all : partOf(all, (node) => first.has(node));
  }, [exploration, limit]);
  const appearance = useMemo(() => appearanceOf(style, bounded.nodes), [style, bounded]);
  const graph = useMemo(
    () => (off.size === 0 ? bounded : partOf(bounded, (node) => !off.has(appearance.keyOf(node)))),
    [bounded, appearance, off],
  );
  const total = exploration.nodes.size - exploration.hidden.size;
  const isMany = limit >= MANY;
  const next = isMany ? exploration.nodes.size : Math.min(exploration.nodes.size, MANY);
  return {
    graph,
    appearance,
    style,
    change: (change) => {
      const changed = { ...style, ...change };
      setStyle(changed);
      writeStyle(mappingId, changed);
      if (change.colourBy !== undefined) setOff(new Set());
    },
    off,
    setOff,
    total,
    next: bounded.nodes.length < total ? next : null,
    isMany,
    drawNext: () => setLimit(next),
  };
};
