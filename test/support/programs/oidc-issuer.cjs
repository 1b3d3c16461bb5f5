'use strict';
/**
 * An OpenID provider (`oidc-provider`) with one client for each person, whose access tokens are JWTs with the claims of
 * its registration. ISSUER_PORT, ISSUER_KEYS (private JWKs, JSON), ISSUER_AUDIENCE, ISSUER_PEOPLE (claims by client id,
 * JSON). Reports when it listens.
 */
const { Provider } = require('oidc-provider');

const { ISSUER_PORT, ISSUER_KEYS, ISSUER_AUDIENCE, ISSUER_PEOPLE } = process.env;
const issuer = `http://127.0.0.1:${ISSUER_PORT}`;
const people = JSON.parse(ISSUER_PEOPLE);
const clients = Object.keys(people).map((clientId) => ({
  client_id: clientId,
  client_secret: `secret of ${clientId}`,
  grant_types: ['client_credentials'],
  response_types: [],
  redirect_uris: [],
}));

const provider = new Provider(issuer, {
  clients,
  jwks: { keys: JSON.parse(ISSUER_KEYS) },
  features: {
    // There are no login pages.
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    resourceIndicators: {
      enabled: true,
      getResourceServerInfo: (_context, resource) => ({
        scope: '',
        audience: resource === 'https://rowgraph.test' ? ISSUER_AUDIENCE : resource,
        accessTokenFormat: 'jwt',
        accessTokenTTL: 3600,
      }),
    },
  },
  ttl: { ClientCredentials: 3600 },
  extraTokenClaims: (_context, { clientId }) => people[clientId],
});
const server = provider.listen(Number(ISSUER_PORT), '127.0.0.1', () => process.send('listening'));
process.on('disconnect', () => process.exit());
process.on('SIGTERM', () => server.close(() => process.exit()));
