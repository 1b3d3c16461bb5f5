import { diffWordsWithSpace } from 'diff';
import { useVersionDiff, type VersionDiff as Diff } from '../../api/mappings';
import { Section } from '../../kit/section';
import { Loaded } from '../../kit/view';
import { fieldText } from './field-text';

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
