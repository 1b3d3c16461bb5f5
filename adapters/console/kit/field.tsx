import { TextInput, type TextInputProps } from '@mantine/core';

interface FieldProps extends Omit<TextInputProps, 'onChange'> {
  readonly onChange: (text: string) => void;
}

/** A line of text. */
export const Field = ({ onChange, ...others }: FieldProps) => (
  <TextInput {...others} onChange={({ currentTarget }) => onChange(currentTarget.value)} />
);
