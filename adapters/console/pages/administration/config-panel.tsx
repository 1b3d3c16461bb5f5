import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import { useConfig } from '../../api/administration';
import { need } from '../../api/failure';
import { useChange } from '../../api/graphs';
import { type Session } from '../../api/session';
import { Field } from '../../kit/field';
import { age } from '../../kit/format';
import { Loaded, Section } from '../../kit/view';
import { ChangeForm } from './controls';

const KINDS = ['mapping', 'snapshot', 'instance'] as const;

/** Limits, lifetimes and maintenance mode. The fields start with the current settings, and keep typed values. */
export const ConfigPanel = () => (
  <Loaded query={useConfig()}>
    {({ lifecycle, concurrency, maintenance: { enabled, message, updated_at, updated_by }, exports }) => (
      <>
        <ConfigForm
          title="Maintenance"
          note={`${enabled ? `On, set ${age(updated_at ?? '')} ago by ${updated_by ?? ''}.` : 'Off.'} While it is on, new mappings and instances are rejected.`}
          initial={{ enabled, message }}
          save={(api, body) => need(api.setMaintenanceConfig({ body }))}
        />
        <ConfigForm
          title="Concurrent instances"
          note="A lower limit does not end running instances."
          initial={{ per_analyst: `${concurrency.per_analyst}`, cluster_total: `${concurrency.cluster_total}` }}
          save={(api, { per_analyst, cluster_total }) => {
            const body = { per_analyst: Number(per_analyst), cluster_total: Number(cluster_total) };
            return need(api.setConcurrencyConfig({ body }));
          }}
        />
        {KINDS.map((kind) => (
          <ConfigForm
            key={kind}
            title={`Lifetime of a new ${kind}`}
            note="ISO 8601 durations: PT24H is 24 hours, P7D is 7 days. Leave default ttl empty for no limit."
            initial={{ ...lifecycle[kind], default_ttl: lifecycle[kind].default_ttl ?? '' }}
            save={(api, { default_ttl, ...others }) => {
              const limits = { ...others, default_ttl: default_ttl === '' ? null : default_ttl };
              return need(api.setLifecycleConfig({ body: { [kind]: limits } }));
            }}
          />
        ))}
        <ConfigForm
          title="Exports"
          note="Timeout of the jobs of new exports."
          initial={{ max_duration_seconds: `${exports.max_duration_seconds}` }}
          save={(api, { max_duration_seconds: seconds }) =>
            need(api.setExportConfig({ body: { max_duration_seconds: Number(seconds) } }))
          }
        />
      </>
    )}
  </Loaded>
);

interface ConfigFormProps<V> {
  readonly title: string;
  readonly note: string;
  readonly initial: V;
  readonly save: (api: Session['api'], values: V) => Promise<unknown>;
}

const ConfigForm = <V extends Readonly<Record<string, string | boolean>>>(props: ConfigFormProps<V>) => {
  const { title, note, initial, save } = props;
  const [values, setValues] = useState(initial);
  const change = useChange(async (api) => {
    await save(api, values);
    return 'Saved.';
  });
  const set = (name: string, value: string | boolean): void => {
    change.reset();
    setValues({ ...values, [name]: value });
  };
  return (
    <Section title={title} note={note}>
      <ChangeForm label={title} button="Save" change={change} onSubmit={() => change.mutate(undefined)}>
        {Object.entries(values).map(([name, value]) =>
          typeof value === 'boolean' ? (
            <Checkbox key={name} label={name} checked={value} onChange={(event) => set(name, event.target.checked)} />
          ) : (
            <Field key={name} label={name.replaceAll('_', ' ')} value={value} onChange={(text) => set(name, text)} />
          ),
        )}
      </ChangeForm>
    </Section>
  );
};
