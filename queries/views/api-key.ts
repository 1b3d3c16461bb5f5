import * as t from 'io-ts';
import { nullable } from '../../domain/kernel/codecs';

/** An API key without its secret, which is not stored. */
export const ApiKeyView = t.strict({
  id: t.string,
  name: t.string,
  created_at: t.string,
  created_by: t.string,
  expires_at: nullable(t.string),
});
export type ApiKeyView = t.TypeOf<typeof ApiKeyView>;
