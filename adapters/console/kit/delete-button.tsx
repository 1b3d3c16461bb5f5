import { useState } from 'react';
import { Button } from '@mantine/core';

interface DeleteButtonProps {
  readonly isBusy: boolean;
  readonly onConfirm: () => void;
}

/** Deletes after a second click. */
export const DeleteButton = ({ isBusy, onConfirm }: DeleteButtonProps) => {
  const [isConfirming, setConfirming] = useState(false);
  return (
    <Button
      color="red"
      variant={isConfirming ? 'filled' : 'light'}
      loading={isBusy}
      onClick={() => (isConfirming ? onConfirm() : setConfirming(true))}
    >
      {isConfirming ? 'Delete permanently' : 'Delete'}
    </Button>
  );
};
