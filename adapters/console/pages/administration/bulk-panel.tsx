import { NumberInput, Select } from '@mantine/core';
import { useState } from 'react';
import { type BulkRequest } from '../../api/administration';
import { need } from '../../api/failure';
import { useChange } from '../../api/graphs';
import { Field } from '../../kit/field';
import { RecordTable } from '../../kit/record-table';
import { Section } from '../../kit/view';
import { ChangeForm, ReasonField } from './controls';

const LONGEST_MS = 600_000;

/** Lists the matches of all filters, and deletes them after their number was typed. */
export const BulkPanel = () => {
  const [kind, setKind] = useState<BulkRequest['resource_type']>('instance');
  const [texts, setTexts] = useState({ name_prefix: '', created_by: '', status: '' });
  const [hours, setHours] = useState<number | string>('');
  const [reason, setReason] = useState('');
  const given = Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));
  const filters = { ...given, ...(hours === '' ? {} : { older_than_hours: Number(hours) }) };
  const request: BulkRequest = { resource_type: kind, filters, reason };
  const find = useChange(async (api, body: BulkRequest) => {
    const { matches = [] } = await need(api.deleteInBulk({ body: { ...body, dry_run: true } }));
    return matches;
  });
  const { data: found, variables: searched } = find;
  // The matches are for the submitted filters, not for those that are being typed.
  const isCurrent = JSON.stringify(searched) === JSON.stringify(request);
  const field = (name: keyof typeof texts, label: string) => (
    <Field label={label} value={texts[name]} onChange={(text) => setTexts({ ...texts, [name]: text })} />
  );
  return (
    <>
      <Section title="Find" note="At most 100 resources that match all filters. Deletes nothing until you confirm.">
        <ChangeForm
          label="Filters"
          button="Find matches"
          change={{ ...find, data: found && `Matches: ${found.length}.` }}
          onSubmit={() => find.mutate(request)}
        >
          <Select
            label="Resource"
            data={['instance', 'snapshot', 'mapping']}
            value={kind}
            allowDeselect={false}
            onChange={(chosen) => setKind(chosen ?? kind)}
          />
          {field('name_prefix', 'Name prefix')}
          {field('created_by', 'Owner')}
          <NumberInput label="Older than, hours" min={0} value={hours} onChange={setHours} />
          {field('status', 'Status')}
          <ReasonField value={reason} onChange={setReason} />
        </ChangeForm>
      </Section>
      {found !== undefined && isCurrent && <Matches key={find.submittedAt} request={searched} matches={found} />}
    </>
  );
};

interface MatchesProps {
  readonly request: BulkRequest;
  readonly matches: readonly { readonly id: number; readonly name: string }[];
}

const Matches = ({ request, matches }: MatchesProps) => {
  const [typed, setTyped] = useState('');
  const remove = useChange(async (api) => {
    const body = { ...request, expected_count: Number(typed) };
    return need(api.deleteInBulk({ body, timeoutMs: LONGEST_MS }));
  });
  const { data } = remove;
  const reasons = new Map(data?.errors.map(({ resource_id, error }) => [resource_id, error]));
  return (
    <Section title={`Matches: ${matches.length}`}>
      <RecordTable
        label="Table of matches"
        rows={matches}
        keyOf={({ id }) => id}
        columns={{
          id: ({ id }) => id,
          name: ({ name }) => name,
          error: ({ id }) => reasons.get(id),
        }}
        empty="No matches."
      />
      {matches.length > 0 && (
        <ChangeForm
          label="Delete"
          button={`Delete ${matches.length}`}
          color="red"
          change={{ ...remove, data: data && `Deleted ${data.deleted_count} of ${data.matched_count}.` }}
          isDisabled={typed !== `${matches.length}` || data !== undefined}
          onSubmit={() => remove.mutate(undefined)}
        >
          <Field label="Type the number of matches to confirm" inputMode="numeric" value={typed} onChange={setTyped} />
        </ChangeForm>
      )}
    </Section>
  );
};
