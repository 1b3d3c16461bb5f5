import { useEffect, useMemo, useRef, useState } from 'react';
import { coloursOf, countsByLabel, type DrawnEdge, type DrawnGraph, type DrawnNode } from './drawn-graph';
import { createDrawing, type Drawing } from './drawing';

interface GraphViewProps {
  readonly graph: DrawnGraph;
  readonly isDark: boolean;
}

/** The drawing of a graph with a legend that hides labels, and the properties of what is selected. */
export const GraphView = ({ graph, isDark }: GraphViewProps) => {
  const element = useRef<HTMLDivElement>(null);
  const drawing = useRef<Drawing>(null);
  const [selected, setSelected] = useState<DrawnNode | DrawnEdge | null>(null);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const counts = useMemo(() => countsByLabel(graph.nodes), [graph]);
  const colours = useMemo(() => coloursOf(counts.map(([label]) => label)), [counts]);

  useEffect(() => {
    if (element.current === null) return undefined;
    const made = createDrawing(element.current, setSelected);
    drawing.current = made;
    return () => made.destroy();
  }, []);
  useEffect(() => {
    const [ink, line] = isDark ? ['#e9ecef', '#5c636a'] : ['#212529', '#adb5bd'];
    drawing.current?.show(graph, { colours, hidden, ink, line });
  }, [graph, colours, hidden, isDark]);

  const toggle = (label: string): void => {
    const next = new Set(hidden);
    if (!next.delete(label)) next.add(label);
    setHidden(next);
  };
  return (
    <div className="drawing">
      <div
        ref={element}
        className="drawing-canvas"
        role="img"
        aria-label={`Drawing of ${graph.nodes.length} nodes and ${graph.edges.length} edges. The table has the same rows.`}
      />
      <div className="drawing-legend" role="group" aria-label="Labels">
        {counts.map(([label, count]) => (
          <button key={label} type="button" aria-pressed={!hidden.has(label)} onClick={() => toggle(label)}>
            <span className="dot" style={{ background: colours.get(label) }} />
            {label} <span className="dimmed">{count}</span>
          </button>
        ))}
        <button type="button" onClick={() => drawing.current?.fit()}>
          Fit
        </button>
      </div>
      <p className="drawing-count" data-testid="drawn">
        {graph.nodes.length < graph.total ? `${graph.nodes.length} of ${graph.total}` : graph.nodes.length} nodes,{' '}
        {graph.edges.length} edges
      </p>
      {selected !== null && <Selected item={selected} />}
    </div>
  );
};

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'object' ? JSON.stringify(value) : `${value as number | bigint}`;

const Selected = ({ item }: { readonly item: DrawnNode | DrawnEdge }) => (
  <aside className="drawing-selected" aria-label="Selected">
    <strong>{'label' in item ? item.label : item.type}</strong>
    <bdi className="dimmed">{'label' in item ? item.id : `${item.from} → ${item.to}`}</bdi>
    <dl>
      {Object.entries(item.properties).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <bdi>{textOf(value)}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  </aside>
);
