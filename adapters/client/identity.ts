/** Who calls: by a key of the API, or by name where the server trusts its edge (or this machine) to name people. */
export type Identity =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'username'; readonly username: string; readonly edgeToken: string | null }
  | { readonly kind: 'nobody' };

export const identityHeaders = (identity: Identity): Readonly<Record<string, string>> => {
  if (identity.kind === 'nobody') return {};
  if (identity.kind === 'key') return { Authorization: `Bearer ${identity.key}` };
  const { username, edgeToken } = identity;
  return { 'X-Username': username, ...(edgeToken === null ? {} : { 'X-Edge-Token': edgeToken }) };
};
