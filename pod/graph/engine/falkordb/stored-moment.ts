import { type GraphProperty } from '../graph-schema';
import { type Moment } from '../moments';

/** The format of the values of a property: all times of a column have the same number of digits. */
export type StoredForm = 'DATE' | 'MILLISECONDS' | 'MICROSECONDS';

/** Null for a property without dates or times. */
export const storedForm = ({ type, wholeMilliseconds }: GraphProperty): StoredForm | null => {
  const item = type.kind === 'list' ? type.item : type;
  if (item.kind !== 'scalar') return null;
  if (item.name === 'DATE') return 'DATE';
  if (item.name !== 'TIMESTAMP') return null;
  return type.kind === 'scalar' && wholeMilliseconds ? 'MILLISECONDS' : 'MICROSECONDS';
};

/**
 * The text that equals the stored text of the same moment and sorts correctly among the others: if a format has too few
 * digits, the text sorts directly after the one without the additional digits.
 */
export const storedText = ({ milliseconds, microseconds }: Moment, form: StoredForm): string => {
  const iso = new Date(milliseconds).toISOString().slice(0, -1);
  const [day = '', time = ''] = iso.split('T');
  const digits = String(microseconds).padStart(3, '0');
  if (form === 'DATE') return /[1-9]/.test(time + digits) ? `${iso}${digits}` : day;
  return form === 'MICROSECONDS' ? `${iso}${digits}Z` : `${iso}Z${microseconds === 0 ? '' : digits}`;
};
