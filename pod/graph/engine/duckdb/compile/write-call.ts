import { type Call } from '../../cypher/tree';
import { type Frame } from './frame';
import { usedOnce } from './list-map';
import { isNumeric } from './operators';
import { FLOAT, NULL, type Type, typed, type Value } from './type';

/** Writes a call; returns null if the function does not have a value for these types. */
export type Write = (values: readonly Value[], frame: Frame, call: Call) => Value | null;

/** A function of texts. */
export const ofText =
  (type: Type, write: (text: string, frame: Frame) => string): Write =>
  ([value = NULL], frame) =>
    value.type.kind === 'text' ? typed(type, write(value.sql, frame)) : null;

/** A function of numbers with a float as its result. */
export const ofFloat =
  (write: (number: string) => string): Write =>
  ([value = NULL], frame) =>
    isNumeric(value.type)
      ? typed(
          FLOAT,
          usedOnce(
            { ...value, sql: `CAST(${value.sql} AS DOUBLE)`, isSimple: value.isSimple === true },
            frame,
            ({ sql }) => write(sql),
          ),
        )
      : null;
