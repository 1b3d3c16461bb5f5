import { hash } from 'node:crypto';

/** Hexadecimal, of the text in UTF-8. */
export const sha256 = (text: string): string => hash('sha256', text, 'hex');
