interface RestProps {
  readonly shown: number;
  readonly page: { readonly total: number } | null;
}

/** Number of items of a list that are not shown, if any. */
export const Rest = ({ shown, page }: RestProps) =>
  page !== null && page.total > shown ? (
    <p className="dimmed">
      The first {shown} of {page.total}; search for the others.
    </p>
  ) : null;
