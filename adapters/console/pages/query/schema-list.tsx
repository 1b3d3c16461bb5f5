import { type useSchema } from '../../api/queries';
import { count } from '../../kit/format';
import { Loaded } from '../../kit/view';

interface SchemaListProps {
  readonly schema: ReturnType<typeof useSchema>;
  /** Copies a query about a label or type to the editor. */
  readonly onPick: (query: string) => void;
}

const quoted = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : `\`${name.replaceAll('`', '``')}\``);

/** Labels and types with their counts; each proposes a query. */
export const SchemaList = ({ schema, onPick }: SchemaListProps) => (
  <aside className="schema" aria-label="Schema">
    <Loaded query={schema}>
      {({ node_tables, edge_tables }) => (
        <>
          <h2>Nodes</h2>
          {node_tables.map(({ label, node_count }) => (
            <button key={label} type="button" onClick={() => onPick(`MATCH (n:${quoted(label)})\nRETURN n LIMIT 100`)}>
              <bdi>{label}</bdi> <span className="dimmed">{count(node_count)}</span>
            </button>
          ))}
          <h2>Edges</h2>
          {edge_tables.map(({ type, from_node, to_node, edge_count }) => (
            <button
              key={`${type} ${from_node} ${to_node}`}
              type="button"
              title={`(${from_node}) –[${type}]→ (${to_node})`}
              onClick={() => onPick(`MATCH (a)-[r:${quoted(type)}]->(b)\nRETURN a, r, b LIMIT 300`)}
            >
              <bdi>{type}</bdi> <span className="dimmed">{count(edge_count)}</span>
            </button>
          ))}
        </>
      )}
    </Loaded>
  </aside>
);
