import { useEffect, useRef } from 'react';
import { counted } from '../kit/format';
import { createDrawing, type Drawing, type DrawingEvents, type Shown } from './drawing';

/** An action on a node of a drawing; each object runs once. */
export interface NodeRequest {
  readonly action: 'focus' | 'pin';
  readonly id: string;
}

interface GraphViewProps extends Shown, Omit<DrawingEvents, 'onSettled'> {
  readonly request: NodeRequest | null;
  /** A change of the number fits the whole drawing into view. */
  readonly fits: number;
}

/** The drawing of a graph. */
export const GraphView = ({ onSelect, onPin, request, fits, ...shown }: GraphViewProps) => {
  const { graph, appearance, layout, pins, selectedId, isDark } = shown;
  const element = useRef<HTMLDivElement>(null);
  const drawing = useRef<Drawing>(null);
  const latest = useRef({ onSelect, onPin });
  useEffect(() => {
    latest.current = { onSelect, onPin };
  });

  useEffect(() => {
    const { current } = element;
    if (current === null) return undefined;
    const createdDrawing = createDrawing(current, {
      onSelect: (selected) => latest.current.onSelect(selected),
      onPin: (id, place) => latest.current.onPin(id, place),
      onSettled: () => (current.dataset['settled'] = 'true'),
    });
    drawing.current = createdDrawing;
    return () => createdDrawing.destroy();
  }, []);
  useEffect(
    () => drawing.current?.show({ graph, appearance, layout, pins, selectedId, isDark }),
    [graph, appearance, layout, pins, selectedId, isDark],
  );
  useEffect(() => {
    if (element.current !== null) delete element.current.dataset['settled'];
  }, [graph, layout]);
  useEffect(() => {
    if (request !== null) drawing.current?.[request.action](request.id);
  }, [request]);
  useEffect(() => {
    if (fits > 0) drawing.current?.fit();
  }, [fits]);
  return (
    <div
      ref={element}
      className="drawing-canvas"
      role="img"
      aria-label={`Drawing of ${counted(graph.nodes.length, 'node')} and ${counted(graph.edges.length, 'edge')}. Choose Rows to read them as a table.`}
    />
  );
};
