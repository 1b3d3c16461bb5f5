interface RestProps {
  readonly shown: number;
  readonly page: { readonly total: number } | null;
}

/** How many items of a list are not shown, if there are such. */
export const Rest = ({ shown, page }: RestProps) =>
  page !== null && page.total > shown ? (
    <p className="dimmed">
      The first {shown} of {page.total}; search for the others.
    </p>
  ) : null;
