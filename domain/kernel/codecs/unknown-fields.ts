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

/** The first ten fields of a JSON value that its codec drops. */
export const unknownFields = (codec: t.Decoder<unknown, unknown>, value: unknown): readonly UnknownField[] => {
  const found: UnknownField[] = [];
  for (const field of unknownIn(codec, value, '')) if (found.push(field) === MAX_NAMED) break;
  return found;
};

/** Suggestions take time, so they are made for the fields that are used only. */
function* unknownIn(codec: t.Decoder<unknown, unknown>, value: unknown, place: string): Generator<UnknownField> {
  if (codec instanceof NullableType) {
    yield* unknownIn(codec.codec as t.Mixed, value, place);
    return;
  }
  if (codec instanceof t.ReadonlyArrayType || codec instanceof t.ArrayType) {
    const items: readonly unknown[] = Array.isArray(value) ? value : [];
    for (const [index, item] of items.entries()) yield* unknownIn(codec.type as t.Mixed, item, `${place}${index}.`);
    return;
  }
  if (!(codec instanceof FieldsType) || typeof value !== 'object' || value === null || Array.isArray(value)) return;
  const props = codec.props as FieldProps;
  const known = Object.keys(props);
  const absent = known.filter((name) => !Object.hasOwn(value, name));
  const required = absent.filter((name) => !(props[name] instanceof OptionalField));
  const isOnly = required.length === 1 && Object.keys(value).filter((name) => !Object.hasOwn(props, name)).length === 1;
  for (const [name, part] of Object.entries<unknown>(value as Readonly<Record<string, unknown>>)) {
    const field = Object.hasOwn(props, name) ? props[name] : undefined;
    if (field !== undefined) yield* unknownIn(codecOf(field), part, `${place}${name}.`);
    else if (!codec.keepsUnknown) {
      const shown = name.slice(0, MAX_NAME);
      const meant = nearestNames(shown, absent)[0] ?? (isOnly ? (required[0] ?? null) : null);
      yield { field: place + shown, meant, known };
    }
  }
}
