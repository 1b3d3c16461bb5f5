import { Title } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';

/** What is wrong with an address without a page, and where to continue. */
export const NotFound = () => (
  <>
    <Title order={1} size="h2" mb="sm">
      There is nothing at this address
    </Title>
    <p>
      No page has the address <bdi>{useLocation().pathname}</bdi>. A graph or mapping has a number: expected an address
      such as /graphs/12 or /mappings/7. Choose one among <Link to="/">all graphs</Link> or{' '}
      <Link to="/mappings">all mappings</Link>.
    </p>
  </>
);
