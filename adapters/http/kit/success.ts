import * as t from 'io-ts';

/** 200 with `{data, meta}`. */
export const data = <O>(body: t.Type<O>) => ({ status: 200, shape: 'data', body }) as const;

/** 201 with `{data, meta}`: what was made. */
export const created = <O>(body: t.Type<O>) => ({ status: 201, shape: 'data', body }) as const;

/** 202 with `{data, meta}`: what goes on after the answer. */
export const accepted = <O>(body: t.Type<O>) => ({ status: 202, shape: 'data', body }) as const;

/** 200 with a page of items, and total, offset and limit in `meta`. */
export const list = <C extends t.Mixed>(item: C) =>
  ({ status: 200, shape: 'list', body: t.readonlyArray(item) }) as const;

/** 200 with the body itself. */
export const flat = <O>(body: t.Type<O>) => ({ status: 200, shape: 'flat', body }) as const;

/** 204. */
export const noContent = { status: 204, shape: 'empty', body: t.undefined } as const;
