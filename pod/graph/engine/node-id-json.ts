/** `"Label:key"` from a label and the JSON text of a key. */
export const nodeIdJson = (label: string, keyJson: string): string => {
  const key = keyJson.startsWith('"') ? keyJson.slice(1) : `${keyJson}"`;
  return `${JSON.stringify(`${label}:`).slice(0, -1)}${key}`;
};
