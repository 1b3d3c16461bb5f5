/** Of node labels, properties and keys. */
export const NAME = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;
export const EDGE_TYPE = /^[A-Z][A-Z0-9_]{0,63}$/;
export const MAX_NAME_LENGTH = 64;
export const MAX_NODES = 100;
export const MAX_EDGES = 200;
export const MAX_PROPERTIES = 100;

const RESERVED = new Set(
  'NODE RELATIONSHIP MATCH WHERE RETURN CREATE DELETE SET REMOVE WITH ORDER LIMIT SKIP UNION CALL YIELD'.split(' '),
);

/** Words that labels, types and properties must not be called; keys may. */
export const isReserved = (name: string): boolean => RESERVED.has(name.toUpperCase());
