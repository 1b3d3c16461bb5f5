/** Who holds the lock of the instance, and for what. */
export interface LockHolder {
  readonly username: string;
  readonly algorithm: string;
  readonly executionId: string;
  readonly acquiredAt: Date;
}

/** One algorithm at a time: the lock is taken before its start is acknowledged and released at every end of it. */
export interface InstanceLock {
  /** Takes the lock, or answers who holds it. */
  readonly acquire: (holder: LockHolder) => { readonly release: () => void } | { readonly heldBy: LockHolder };
  readonly holder: () => LockHolder | null;
}

export const createInstanceLock = (): InstanceLock => {
  let current: LockHolder | null = null;
  return {
    acquire: (holder) => {
      if (current !== null) return { heldBy: current };
      current = holder;
      return {
        release: () => {
          if (current === holder) current = null;
        },
      };
    },
    holder: () => current,
  };
};
