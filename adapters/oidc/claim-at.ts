import { type UserRole } from '../../domain/user';

export type Claims = Readonly<Record<string, unknown>>;

/**
 * The claim of that name; `realm_access.roles` is `roles` within `realm_access`, unless a claim has the dot in its name.
 * Undefined: there is none.
 */
export const claimAt = (claims: Claims, name: string): unknown => {
  if (Object.hasOwn(claims, name)) return claims[name];
  for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1)) {
    const outer = Object.hasOwn(claims, name.slice(0, dot)) ? claims[name.slice(0, dot)] : undefined;
    const inner = isClaims(outer) ? claimAt(outer, name.slice(dot + 1)) : undefined;
    if (inner !== undefined) return inner;
  }
  return undefined;
};

const isClaims = (value: unknown): value is Claims =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const HIGHEST_FIRST = ['ops', 'admin', 'analyst'] as const satisfies readonly UserRole[];

/** The highest role in a claim that is a list, or text with spaces between; `analyst` when it has none that is known. */
export const roleIn = (claim: unknown): UserRole => {
  const named: readonly unknown[] = typeof claim === 'string' ? claim.split(/\s+/) : Array.isArray(claim) ? claim : [];
  return HIGHEST_FIRST.find((role) => named.includes(role)) ?? 'analyst';
};
