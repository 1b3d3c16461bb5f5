'use strict';
/**
 * An OpenID provider (`oidc-provider`) with one public client, whose login pages accept any name. LOGIN_CLIENT,
 * LOGIN_RETURN (redirect address), LOGIN_PORT. Reports when it listens.
 */
const { Provider } = require('oidc-provider');

const { LOGIN_CLIENT, LOGIN_RETURN, LOGIN_PORT } = process.env;
const claims = (sub) => ({ sub, preferred_username: sub });
const provider = new Provider(`http://127.0.0.1:${LOGIN_PORT}`, {
  clients: [
    {
      client_id: LOGIN_CLIENT,
      redirect_uris: [LOGIN_RETURN],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code'],
      response_types: ['code'],
      application_type: 'native',
    },
  ],
  clientBasedCORS: () => true,
  pkce: { required: () => true },
  claims: { openid: ['sub', 'preferred_username'] },
  conformIdTokenClaims: false,
  findAccount: (_context, sub) => ({ accountId: sub, claims: () => claims(sub) }),
});
const server = provider.listen(Number(LOGIN_PORT), '127.0.0.1', () => process.send('listening'));
process.on('disconnect', () => process.exit());
process.on('SIGTERM', () => server.close(() => process.exit()));
