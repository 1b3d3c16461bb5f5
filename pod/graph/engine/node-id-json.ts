/** JSON text of a node's `_id`, `"Label:key"`, from its label and the JSON text of its key. */
export const nodeIdJson = (label: string, keyJson: string): string => {
  const key = keyJson.startsWith('"') ? keyJson.slice(1) : `${keyJson}"`;
  return `${JSON.stringify(`${label}:`).slice(0, -1)}${key}`;
};
