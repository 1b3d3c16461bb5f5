import { useNavigate } from '@tanstack/react-router';

/** Changes search parameters of the page; `undefined` removes one. */
export const useFilter = () => {
  const navigate = useNavigate();
  return (change: Readonly<Record<string, string | undefined>>): void =>
    void navigate({ to: '.', search: (before) => ({ ...before, ...change }), replace: true });
};
