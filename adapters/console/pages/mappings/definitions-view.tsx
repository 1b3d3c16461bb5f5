import { type MappingVersion, useVersion } from '../../api/mappings';
import { Branch } from '../../kit/branch';
import { SchemaDiagram } from '../../kit/schema-diagram';
import { Section } from '../../kit/section';
import { Loaded } from '../../kit/view';

interface DefinitionsViewProps {
  readonly id: number;
  readonly version: number;
}

/** The nodes and edges of a version, as a drawing and with their queries. */
export const DefinitionsView = ({ id, version }: DefinitionsViewProps) => (
  <Section title={`Version ${version}`}>
    <Loaded query={useVersion(id, version)}>
      {({ data: { node_definitions: nodes, edge_definitions: edges } }) => (
        <>
          <SchemaDiagram
            nodes={nodes.map(({ label }) => ({ id: label, label }))}
            edges={edges.map(({ type, from_node, to_node }) => ({ type, from: from_node, to: to_node }))}
          />
          {nodes.map(({ label, sql, primary_key, properties }) => (
            <Definition key={label} title={label} sql={sql} keys={`key ${primary_key.name}`} properties={properties} />
          ))}
          {edges.map(({ type, sql, from_node, to_node, from_key, to_key, properties }) => (
            <Definition
              key={type}
              title={`(${from_node}) –[${type}]→ (${to_node})`}
              sql={sql}
              keys={`keys ${from_key} → ${to_key}`}
              properties={properties}
            />
          ))}
        </>
      )}
    </Loaded>
  </Section>
);

interface DefinitionProps {
  readonly title: string;
  readonly sql: string;
  readonly keys: string;
  readonly properties: MappingVersion['node_definitions'][number]['properties'];
}

const Definition = ({ title, sql, keys, properties }: DefinitionProps) => (
  <Branch title={<bdi>{title}</bdi>}>
    {() => (
      <>
        <pre className="sql" tabIndex={0}>
          {sql}
        </pre>
        <p className="dimmed">
          <bdi>{[keys, ...properties.map(({ name, type }) => `${name} ${type}`)].join(', ')}</bdi>
        </p>
      </>
    )}
  </Branch>
);
