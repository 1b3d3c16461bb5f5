/**
 * The content policy of a page: everything is loaded from this server, so that the page works offline and does not send
 * data about its readers elsewhere; it also calls these origins. Styles may be set by script, for drawing and editing.
 */
export const pagePolicy = (origins: readonly string[] = []): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    ["connect-src 'self'", ...origins].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
