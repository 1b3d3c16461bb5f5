export type MomentType = 'DATE' | 'TIME' | 'LOCALTIME' | 'DATETIME' | 'LOCALDATETIME' | 'TIMESTAMP';

/** A type of openCypher. */
export type TemporalType = Exclude<MomentType, 'TIMESTAMP'>;

export const TEMPORAL_TYPES: readonly TemporalType[] = ['DATE', 'TIME', 'LOCALTIME', 'DATETIME', 'LOCALDATETIME'];

export const hasDate = (type: MomentType): boolean => type !== 'TIME' && type !== 'LOCALTIME';
export const hasTime = (type: MomentType): boolean => type !== 'DATE';
export const hasZone = (type: MomentType): boolean => type === 'TIME' || type === 'DATETIME';
