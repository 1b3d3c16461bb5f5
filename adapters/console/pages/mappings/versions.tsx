import { Button } from '@mantine/core';
import { diffWordsWithSpace } from 'diff';
import {
  type MappingVersion,
  useVersion,
  useVersionDiff,
  useVersions,
  type VersionDiff as Diff,
} from '../../api/mappings';
import { age } from '../../kit/format';
import { SchemaDiagram } from '../../kit/schema-diagram';
import { Branch, Loaded, Rest, Section } from '../../kit/view';
import { fieldText } from './field-text';

interface VersionsProps {
  readonly id: number;
  /** The selected version. */
  readonly version: number;
  readonly onShow: (show: { readonly version: number; readonly with?: number }) => void;
}

/** The versions, newest first; one is shown, and compared with another. */
export const Versions = ({ id, version, onShow }: VersionsProps) => (
  <Section title="Versions">
    <Loaded query={useVersions(id)}>
      {({ data, page }) => (
        <ul className="tree">
          {data.map(({ version: one, change_description, created_by_name, created_at }) => (
            <li key={one}>
              <strong>{one}</strong> <bdi>{change_description ?? 'created'}</bdi>{' '}
              <bdi className="dimmed">
                {created_by_name}, {age(created_at)} ago
              </bdi>
              {one !== version && (
                <Button.Group>
                  <Button size="compact-xs" variant="default" onClick={() => onShow({ version: one })}>
                    Show {one}
                  </Button>
                  <Button size="compact-xs" variant="default" onClick={() => onShow({ version, with: one })}>
                    Compare with {one}
                  </Button>
                </Button.Group>
              )}
            </li>
          ))}
          <Rest shown={data.length} page={page} hasSearch={false} />
        </ul>
      )}
    </Loaded>
  </Section>
);

interface VersionDiffProps {
  readonly id: number;
  readonly from: number;
  readonly to: number;
}

/** The differences between two versions. */
export const VersionDiff = ({ id, from, to }: VersionDiffProps) => (
  <Section title={`From version ${from} to ${to}`}>
    <Loaded query={useVersionDiff(id, from, to)}>
      {({ data: { changes } }) => (
        <>
          {changes.nodes.length + changes.edges.length === 0 && <p>No differences.</p>}
          {changes.nodes.map((change) => (
            <Change key={change.label} name={change.label} change={change} />
          ))}
          {changes.edges.map((change) => (
            <Change key={change.type} name={change.type} change={change} />
          ))}
        </>
      )}
    </Loaded>
  </Section>
);

interface ChangeProps {
  readonly name: string;
  readonly change: Omit<Diff['changes']['nodes'][number] | Diff['changes']['edges'][number], 'label' | 'type'>;
}

const Change = ({ name, change: { change_type, fields_changed, from, to } }: ChangeProps) => (
  <>
    <h3 className="small-title">
      <bdi>{name}</bdi> <span className="dimmed">{change_type}</span>
    </h3>
    {(fields_changed ?? ['sql', 'properties']).map((field) => (
      <div key={field}>
        <span className="dimmed">{field}</span>
        <pre className="sql" tabIndex={0}>
          {diffWordsWithSpace(fieldText(from, field), fieldText(to, field)).map(({ value, added, removed }, index) =>
            added ? <ins key={index}>{value}</ins> : removed ? <del key={index}>{value}</del> : value,
          )}
        </pre>
      </div>
    ))}
  </>
);

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
