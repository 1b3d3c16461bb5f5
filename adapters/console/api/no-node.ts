/** In the browser, replaces the Node.js imports of API declarations; only the server calls them. */
const missing = (): never => {
  throw new Error('This is part of the server.');
};

export { missing as createHash, missing as randomUUID, missing as pipeline, missing as once };
