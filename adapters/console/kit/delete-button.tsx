import { useState } from 'react';
import { Button } from '@mantine/core';

interface DeleteButtonProps {
  readonly isBusy: boolean;
  readonly onConfirm: () => void;
}

/** Deletes after a second click. */
export const DeleteButton = ({ isBusy, onConfirm }: DeleteButtonProps) => {
  const [isSure, setSure] = useState(false);
  return (
    <Button
      color="red"
      variant={isSure ? 'filled' : 'light'}
      loading={isBusy}
      onClick={() => (isSure ? onConfirm() : setSure(true))}
    >
      {isSure ? 'Delete permanently' : 'Delete'}
    </Button>
  );
};
