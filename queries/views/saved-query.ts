import * as t from 'io-ts';
import { nullable } from '../../domain/kernel/codecs';

export const SavedQueryView = t.strict({
  mapping_id: t.number,
  name: t.string,
  query: t.string,
  /** JSON text of an object, so that integers of 64 bits stay exact. */
  parameters: t.string,
  /** JSON text of the client's drawing of the result. */
  drawing: nullable(t.string),
  updated_at: t.string,
});
export type SavedQueryView = t.TypeOf<typeof SavedQueryView>;
