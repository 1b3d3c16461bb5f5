import * as t from 'io-ts';
import { nearestNames } from '../nearest-names';
import { codecOf, type FieldProps, FieldsType, NullableType, OptionalField } from './fields';

/** A field that a codec drops. */
export interface UnknownField {
  /** Its dotted path. */
  readonly field: string;
  /** The known field that the sender probably meant: an absent one with a similar name, or the only one that is required. */
  readonly meant: string | null;
  /** The names that are known there. */
  readonly known: readonly string[];
}

const MAX_NAMED = 10;
const MAX_NAME = 100;

/** The fields of a JSON value that its codec drops, at most ten. */
export const unknownFields = (codec: t.Decoder<unknown, unknown>, value: unknown): readonly UnknownField[] =>
  unknownIn(codec, value, '').slice(0, MAX_NAMED);

const unknownIn = (codec: t.Decoder<unknown, unknown>, value: unknown, place: string): readonly UnknownField[] => {
  if (codec instanceof NullableType) return unknownIn(codec.codec as t.Mixed, value, place);
  if (codec instanceof t.ReadonlyArrayType || codec instanceof t.ArrayType) {
    const items: readonly unknown[] = Array.isArray(value) ? value : [];
    return items.flatMap((item, index) => unknownIn(codec.type as t.Mixed, item, `${place}${index}.`));
  }
  if (!(codec instanceof FieldsType) || typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  const props = codec.props as FieldProps;
  const known = Object.keys(props);
  const absent = known.filter((name) => !Object.hasOwn(value, name));
  const required = absent.filter((name) => !(props[name] instanceof OptionalField));
  const isOnly = required.length === 1 && Object.keys(value).filter((name) => !Object.hasOwn(props, name)).length === 1;
  return Object.entries(value).flatMap(([name, part]: [string, unknown]) => {
    const field = Object.hasOwn(props, name) ? props[name] : undefined;
    if (field !== undefined) return unknownIn(codecOf(field), part, `${place}${name}.`);
    if (codec.keepsUnknown) return [];
    const shown = name.slice(0, MAX_NAME);
    return [
      { field: place + shown, meant: nearestNames(shown, absent)[0] ?? (isOnly ? (required[0] ?? null) : null), known },
    ];
  });
};
