import { Button } from '@mantine/core';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { Field, Form } from '../../kit/field';
import { Problem } from '../../kit/view';

/** The reason of a change, which is required. */
export const ReasonField = (props: ComponentProps<typeof Field>) => (
  <Field label="Reason" description="Recorded with the action." required maxLength={500} maw={460} {...props} />
);

/** A change, and a message about its result. */
interface Change {
  readonly error: Error | null;
  readonly data: string | undefined;
}

/** The result of a change. */
export const Outcome = ({ change: { error, data } }: { readonly change: Change }) => (
  <>
    {error !== null && <Problem error={error} title="Failed" />}
    <p role="status" className="outcome">
      {error === null && data !== undefined && <bdi>{data}</bdi>}
    </p>
  </>
);

interface ChangeFormProps {
  readonly label: string;
  readonly button: string;
  readonly color?: string;
  readonly change: Change & { readonly isPending: boolean };
  readonly onSubmit: () => void;
  readonly isDisabled?: boolean;
  readonly children: ReactNode;
}

export const ChangeForm = ({ label, button, color, change, onSubmit, isDisabled, children }: ChangeFormProps) => (
  <Form aria-label={label} onSubmit={onSubmit}>
    <div className="fields">{children}</div>
    <Outcome change={change} />
    <Button type="submit" color={color} loading={change.isPending} disabled={isDisabled}>
      {button}
    </Button>
  </Form>
);

interface RowButtonProps {
  readonly text: string;
  /** The subject of the row. */
  readonly of: string;
  /** Text of the confirmation, which needs a second click. */
  readonly confirm?: string;
  readonly isDisabled?: boolean;
  readonly onClick: () => void;
}

/** An action on a row. */
export const RowButton = ({ text, of, confirm, isDisabled, onClick }: RowButtonProps) => {
  const [isConfirming, setConfirming] = useState(confirm === undefined);
  const shown = isConfirming ? (confirm ?? text) : text;
  return (
    <Button
      size="compact-sm"
      variant="default"
      c={confirm === undefined ? undefined : 'light-dark(#b02525, #ffa8a8)'}
      mr="xs"
      aria-label={`${shown} ${of}`}
      disabled={isDisabled}
      onClick={isConfirming ? onClick : () => setConfirming(true)}
    >
      {shown}
    </Button>
  );
};
