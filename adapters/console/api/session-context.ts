import { createContext, useContext } from 'react';
import { type Session } from './session';

export const SessionContext = createContext<Session | null>(null);

/** The session of the page; pages are shown only within a session. */
export const useSession = (): Session => {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('A page was shown without a session.');
  return session;
};
