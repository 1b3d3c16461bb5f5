const NUMBER = /^((tiny|small|big|huge)int|integer|double|decimal\(\d+, ?\d+\))$/i;

/**
 * The condition that a text goes into a type without loss. Of a decided type it comes back as the same text. Of a
 * declared one the spelling may differ, in zeros that mean nothing, in the `T` of a timestamp and in its offset.
 */
export const fitsType = (
  text: string,
  { type, isDeclared }: { readonly type: string; readonly isDeclared: boolean },
): string => {
  const value = `TRY_CAST(${text} AS ${type})`;
  if (type === 'VARCHAR') return 'true';
  if (isDeclared && type === 'BOOLEAN') return `${value} IS NOT NULL`;
  if (isDeclared && type === 'TIMESTAMPTZ')
    return `(${value} IS NOT NULL AND NOT regexp_matches(${text}, '\\.\\d{7}'))`;
  const back = `CAST(${value} AS VARCHAR)`;
  const isSame = `coalesce(${isDeclared ? `${plain(back, type)} = ${plain(text, type)}` : `${back} = ${text}`}, false)`;
  // Words such as `nan` and `-infinity` are values of these types, and more often words.
  return type === 'BOOLEAN' || isDeclared ? isSame : `(${text} < ':' AND NOT contains(${text}, 'n') AND ${isSame})`;
};

const plain = (text: string, type: string): string => {
  const withoutZeros = `regexp_replace(regexp_replace(${text}, '(\\.\\d*?)0+$', '\\1'), '\\.$', '')`;
  if (NUMBER.test(type)) return `regexp_replace(${withoutZeros}, '^\\+?(-?)0*(\\d)', '\\1\\2')`;
  return type.startsWith('TIMESTAMP') ? `replace(${withoutZeros}, 'T', ' ')` : text;
};
