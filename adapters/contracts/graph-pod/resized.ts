import * as t from 'io-ts';

/** What a pod is told over its IPC channel when it has been given another size. */
export const Resized = t.type({ type: t.literal('resized'), memoryBytes: t.number });
export type Resized = t.TypeOf<typeof Resized>;
