import { useState } from 'react';
import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { need } from '../../api/failure';
import { useChange } from '../../api/graphs';
import { Problem } from '../../kit/view';
import { Field } from '../../kit/field';

/** Copies the current version of a mapping to a new mapping of the user. */
export const CopyMapping = ({ id, name: original }: { readonly id: number; readonly name: string }) => {
  const [name, setName] = useState(`${original} copy`);
  const navigate = useNavigate();
  const copying = useChange(async (api) => {
    const copy = need(await api.copyMapping({ params: { id }, body: { name: name.trim() } }), ({ data }) => data.id);
    await navigate({ to: '/mappings/$id', params: { id: copy } });
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        copying.mutate(undefined);
      }}
    >
      {copying.error !== null && <Problem error={copying.error} title="Not copied" />}
      <Field label="Name of the copy" maxLength={255} value={name} onChange={setName} mb="sm" />
      <Button type="submit" disabled={name.trim() === ''} loading={copying.isPending}>
        Create the copy
      </Button>
    </form>
  );
};
