const rule = (message, selector) => ({
  create: (context) => ({ [selector]: (node) => context.report({ node, message }) }),
});

/** The rules of this project that Oxlint does not have. */
export default {
  meta: { name: 'rowgraph' },
  rules: {
    'no-enum': rule('Use a union of literals.', 'TSEnumDeclaration'),
    'no-timeout-in-any': rule(
      'Node.js 20 collects this timeout before it aborts: use signalWithin of adapters/system/time-limit.',
      "CallExpression[callee.object.name='AbortSignal'][callee.property.name='any'] [property.name='timeout']",
    ),
  },
};
