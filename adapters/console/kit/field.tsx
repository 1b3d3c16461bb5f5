import { TextInput, type TextInputProps } from '@mantine/core';
import { type ComponentProps, useEffect, useState } from 'react';

interface FieldProps extends Omit<TextInputProps, 'onChange'> {
  readonly onChange: (text: string) => void;
}

/** A line of text. */
export const Field = ({ onChange, ...others }: FieldProps) => (
  <TextInput {...others} onChange={({ currentTarget }) => onChange(currentTarget.value)} />
);

interface SearchFieldProps extends Pick<TextInputProps, 'aria-label' | 'placeholder' | 'mb'> {
  /** The text in the URL. */
  readonly text: string | undefined;
  readonly onChange: (text: string | undefined) => void;
}

/** A search field whose text is in the URL; a URL without it clears the field. */
export const SearchField = ({ text, onChange, ...others }: SearchFieldProps) => {
  const [typed, setTyped] = useState(text ?? '');
  useEffect(() => {
    if (text === undefined) setTyped('');
  }, [text]);
  const change = (next: string): void => {
    setTyped(next);
    onChange(next || undefined);
  };
  return <Field {...others} value={typed} onChange={change} />;
};

interface FormProps extends Omit<ComponentProps<'form'>, 'onSubmit'> {
  readonly onSubmit: () => void;
}

/** A form that is sent by the page itself. */
export const Form = ({ onSubmit, ...others }: FormProps) => (
  <form
    {...others}
    onSubmit={(event) => {
      event.preventDefault();
      onSubmit();
    }}
  />
);
