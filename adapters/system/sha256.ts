import { createHash } from 'node:crypto';

/** Hexadecimal, of the text in UTF-8. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
