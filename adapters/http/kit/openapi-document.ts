import type * as t from 'io-ts';
import { type AnyEndpoint, type EndpointTable } from './endpoint';
import { type JsonSchema, jsonSchemaOf } from './json-schema-of';
import { type ApiKind, securitySchemes, sharedComponents } from './openapi-components';
import { errorExampleComponents, type OperationExamples } from './openapi-examples';
import { openApiOperation, tagOf } from './openapi-operation';

/** Descriptions that are not part of the declarations. */
export interface ApiTexts {
  /** Description of the whole API, as Markdown. */
  readonly description: string;
  /** Description of each first path segment. */
  readonly tags: Readonly<Record<string, string>>;
  /** Descriptions of path and query parameters, by name. */
  readonly parameters: Readonly<Record<string, string>>;
}

export interface ApiDescription {
  readonly title: string;
  readonly version: string;
  /** URL of the service for clients, without the base path. */
  readonly serverUrl: string;
  /** Prefix of every path of the table: `/api`, or empty. */
  readonly basePath: string;
  readonly endpoints: EndpointTable;
  readonly envelope: ApiKind;
  readonly about: ApiTexts;
  readonly examples?: OperationExamples;
  /** Codecs to describe once under their name and to reference elsewhere. */
  readonly schemas?: Readonly<Record<string, t.Mixed>>;
}

/** An OpenAPI 3.1 document as JSON. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string | undefined }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>;
  readonly components: JsonSchema;
}

/**
 * Describes every operation of a table.
 *
 * @throws when a declaration cannot be described, with the endpoint and the field.
 */
export const openApiDocument = (api: ApiDescription): OpenApiDocument => {
  const schemas = api.schemas ?? {};
  const names = new Map(Object.entries(schemas).map(([name, codec]) => [codec, name]));
  const schemaOf = (codec: t.Mixed, where: string): JsonSchema => {
    const name = names.get(codec);
    return name === undefined ? jsonSchemaOf(codec, where, schemaOf) : { $ref: `#/components/schemas/${name}` };
  };
  const named = Object.entries(schemas).map(([name, codec]) => [name, jsonSchemaOf(codec, name, schemaOf)]);
  const shared = sharedComponents(api.envelope);
  const { about } = api;
  return {
    openapi: '3.1.0',
    info: { title: api.title, version: api.version, description: about.description },
    servers: [{ url: api.serverUrl.replace(/\/$/, '') + api.basePath }],
    tags: tagsOf(api.endpoints, about),
    paths: pathsOf(api.endpoints, (name, endpoint) =>
      openApiOperation(name, endpoint, api.envelope, {
        schemaOf,
        examples: api.examples?.[name] ?? [],
        parameterDescriptions: about.parameters,
      }),
    ),
    components: {
      ...shared,
      examples: errorExampleComponents,
      schemas: { ...shared.schemas, ...Object.fromEntries(named) },
      securitySchemes: securitySchemes(Object.values(api.endpoints).map(({ access }) => access)),
    },
  };
};

const tagsOf = (endpoints: EndpointTable, { tags }: ApiTexts): OpenApiDocument['tags'] =>
  [...new Set(Object.values(endpoints).map(tagOf))].map((name) => ({ name, description: tags[name] }));

const pathsOf = (
  endpoints: EndpointTable,
  operationOf: (name: string, endpoint: AnyEndpoint) => JsonSchema,
): OpenApiDocument['paths'] => {
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const [name, endpoint] of Object.entries(endpoints)) {
    const operations = (paths[endpoint.path] ??= {});
    const method = endpoint.method.toLowerCase();
    if (method in operations) {
      throw new Error(`${name}: another endpoint is declared for ${endpoint.method} ${endpoint.path}; remove one.`);
    }
    operations[method] = operationOf(name, endpoint);
  }
  return paths;
};
