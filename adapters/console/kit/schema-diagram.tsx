import { useId } from 'react';
import { diagramOf, HALF_HEIGHT, type SchemaEdge, type SchemaNode, WIDTH } from './diagram-of';

interface SchemaDiagramProps {
  readonly nodes: readonly SchemaNode[];
  readonly edges: readonly SchemaEdge[];
}

/** Labels as nodes and edge types as arrows. */
export const SchemaDiagram = ({ nodes, edges }: SchemaDiagramProps) => {
  const arrowhead = useId();
  const { height, nodes: drawn, arrows } = diagramOf(nodes, edges);
  const labels = new Map(nodes.map(({ id, label }) => [id, label]));
  const words = [
    ...labels.values(),
    ...edges.map(
      ({ type, from, to }) => `(${labels.get(from ?? '') ?? '?'}) –[${type}]→ (${labels.get(to ?? '') ?? '?'})`,
    ),
  ];
  if (nodes.length === 0) return null;
  return (
    <div className="picture-scroller" tabIndex={0} role="region" aria-label="Schema">
      <svg
        className="schema-picture"
        viewBox={`0 0 ${WIDTH} ${height}`}
        role="img"
        aria-label={`Schema: ${words.join(', ')}`}
      >
        <marker id={arrowhead} viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">
          <path d="M0 0 8 4 0 8Z" className="arrowhead" />
        </marker>
        {arrows.map(({ path }, index) => (
          <path key={index} d={path} className="arrow" markerEnd={`url(#${arrowhead})`} />
        ))}
        {drawn.map(({ id, text, x, y, halfWidth }) => (
          <g key={id}>
            <rect
              x={x - halfWidth}
              y={y - HALF_HEIGHT}
              width={2 * halfWidth}
              height={2 * HALF_HEIGHT}
              rx={HALF_HEIGHT}
            />
            <text x={x} y={y}>
              {text}
            </text>
          </g>
        ))}
        {arrows.map(({ text, x, y }, index) => (
          <text key={index} x={x} y={y} className="type">
            {text}
          </text>
        ))}
      </svg>
    </div>
  );
};
