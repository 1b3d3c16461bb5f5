import { Button, Group, Modal } from '@mantine/core';
import { type ReactNode, useState } from 'react';

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

interface DialogButtonProps {
  readonly label: string;
  readonly title: string;
  /** Rendered when the dialog opens. */
  readonly children: () => ReactNode;
}

/** A button that opens a dialog. */
export const DialogButton = ({ label, title, children }: DialogButtonProps) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {label}
      </Button>
      <Modal opened={isOpen} onClose={() => setOpen(false)} withCloseButton={false}>
        {/* Not the title of the component, whose header is a second banner of the page. */}
        <Group justify="space-between" mb="sm">
          <Modal.Title>{title}</Modal.Title>
          <Modal.CloseButton aria-label="Close" />
        </Group>
        {isOpen && children()}
      </Modal>
    </>
  );
};
