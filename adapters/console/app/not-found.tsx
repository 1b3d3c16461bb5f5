import { Title } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';

/** What is wrong with an address without a page, and where to continue. */
export const NotFound = () => (
  <>
    <Title order={1} size="h2" mb="sm">
      Page not found
    </Title>
    <p>
      There is no page at <bdi>{useLocation().pathname}</bdi>. Expected an address such as /graphs/12 or /mappings/7.
      See <Link to="/">all graphs</Link> or <Link to="/mappings">all mappings</Link>.
    </p>
  </>
);
