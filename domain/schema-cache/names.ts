import { unstorableCharacter } from '../kernel/codecs';

/** Names longer than this do not fit together into an index entry. */
const MAX_NAME_BYTES = 500;

/** What a name is searched by, and a search text is turned into: neither tells case apart. */
export const searchKey = (name: string): string => name.toLowerCase();

/** Whether the cache can keep a name; the few it cannot are passed over. */
export const isCacheableName = (name: string): boolean =>
  name !== '' && unstorableCharacter(name) === null && utf8Length(name) <= MAX_NAME_BYTES;

const utf8Length = (text: string): number => encodeURIComponent(text).replaceAll(/%[\dA-F]{2}/g, '_').length;
